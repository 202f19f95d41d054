"""What a reader outside changed in a table, a Word document or a text of the captions, as proposals for the lines."""
