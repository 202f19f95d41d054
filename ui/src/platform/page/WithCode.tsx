/** Commands and names of files stand between backticks in the server's sentences. */
export function WithCode({ text }: { text: string }) {
  return text
    .split("`")
    .map((part, index) => (index % 2 === 1 ? <code key={index}>{part}</code> : part));
}
