/** The list with the texts of `input` added: split on commas, trimmed, empty and known ones dropped. */
export function addTags(tags: readonly string[], input: string): string[] {
  const added = input
    .split(',')
    .map(tag => tag.trim())
    .filter(tag => tag !== '')
  return [...new Set([...tags, ...added])]
}
