"""Icelandic for the sentences about the import of subtitle files."""

SENTENCES = {
    "This file holds {count} characters of captions; {limit} are the most. Split the file and its video into parts.": "Í þessari skrá eru {count} stafir af skjátexta; mest mega þeir vera {limit}. Skiptu skránni og myndbandinu í hluta.",
    "This file holds {count} captions; {limit} are the most. Split the file and its video into parts.": "Í þessari skrá eru {count} skjátextar; mest mega þeir vera {limit}. Skiptu skránni og myndbandinu í hluta.",
    "This file holds {count} words; {limit} are the most. Split the file and its video into parts.": "Í þessari skrá eru {count} orð; mest mega þau vera {limit}. Skiptu skránni og myndbandinu í hluta.",
    "The caption at {time} holds {count} characters, more than can be shown in its {ms} ms. Shorten it and import the file again.": "Í skjátextanum á {time} eru {count} stafir, fleiri en hægt er að sýna á {ms} ms. Styttu hann og flyttu skrána aftur inn.",
    "A caption of this file starts after {time}, the latest time there is (“{text}”). Correct its time and import the file again.": "Skjátexti í þessari skrá byrjar eftir {time}, sem er síðasti mögulegi tími („{text}“). Leiðréttu tímann og flyttu skrána aftur inn.",
    "This is not an EBU-STL file, or it is cut off within its header.": "Þetta er ekki EBU-STL-skrá eða hún er afskorin í hausnum.",
    "This JSON file is not one of ours. It needs a list “lines” whose entries have start_ms, end_ms and text. Import a subtitle file, or JSON that was downloaded here.": "Þessi JSON-skrá er ekki frá okkur. Í henni þarf að vera listi „lines“ með start_ms, end_ms og text. Flyttu inn textaskrá eða JSON sem var sótt hér.",
    "This file holds {count} captions; {limit} are the most.": "Í þessari skrá eru {count} skjátextar; mest mega þeir vera {limit}.",
    "This JSON file is damaged or cut off at row {row}. Download it again and import that file.": "Þessi JSON-skrá er skemmd eða afskorin í línu {row}. Sæktu hana aftur og flyttu þá skrá inn.",
    "No caption times were found in this file. It needs rows like 0:00:01.000,0:00:04.000.": "Engir tímar skjátexta fundust í þessari skrá. Í henni þurfa að vera línur eins og 0:00:01.000,0:00:04.000.",
    "No caption times were found in this SCC file. It needs rows like 00:00:01:00 9420 94ae.": "Engir tímar skjátexta fundust í þessari SCC-skrá. Í henni þurfa að vera línur eins og 00:00:01:00 9420 94ae.",
    "No caption times were found in this SAMI file. It needs tags like <SYNC Start=1000>.": "Engir tímar skjátexta fundust í þessari SAMI-skrá. Í henni þurfa að vera merki eins og <SYNC Start=1000>.",
    "No caption times were found in this TTML file. Its paragraphs need begin and end.": "Engir tímar skjátexta fundust í þessari TTML-skrá. Efnisgreinar hennar þurfa begin og end.",
    "This file begins as TTML but is not XML. Save it again in the program that made it.": "Þessi skrá byrjar sem TTML en er ekki XML. Vistaðu hana aftur í forritinu sem bjó hana til.",
    "This file takes too long to read, so nothing was changed. Check that it is a subtitle file, or open and save it again in a subtitle editor.": "Of langan tíma tekur að lesa þessa skrá, svo engu var breytt. Athugaðu hvort hún er textaskrá eða opnaðu hana og vistaðu aftur í textaritli.",
    "No caption times were found in this file. It needs rows like 00:00:01,000 --> 00:00:04,000.": "Engir tímar skjátexta fundust í þessari skrá. Í henni þurfa að vera línur eins og 00:00:01,000 --> 00:00:04,000.",
    "This is an RTF document. Save it as plain text (.srt or .vtt) and import that file.": "Þetta er RTF-skjal. Vistaðu það sem hreinan texta (.srt eða .vtt) og flyttu þá skrá inn.",
    "This is a Word document or another ZIP file. Save the captions as a subtitle file and import that.": "Þetta er Word-skjal eða önnur ZIP-skrá. Vistaðu skjátextana sem textaskrá og flyttu hana inn.",
    "A caption cannot be later than 99:59:59,999.": "Skjátexti getur ekki verið seinna en 99:59:59,999.",
    "No cues were found in this WebVTT file. It needs rows like 00:01.000 --> 00:04.000.": "Engir textar fundust í þessari WebVTT-skrá. Í henni þurfa að vera línur eins og 00:01.000 --> 00:04.000.",
}
