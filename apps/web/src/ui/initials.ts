export function initialsOf(name: string): string {
  const words = name.split(/[\s_-]+/).filter(word => word !== '')
  const letters = words.length > 1 ? [words[0], words.at(-1)] : [words[0]]
  return letters
    .map(word => [...(word ?? '')][0] ?? '')
    .join('')
    .toUpperCase()
}
