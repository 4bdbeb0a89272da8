import { quoted } from '../import-error.ts'

const maxNamed = 3

/** A message about names in a step that match no attribute; undefined if all names match. */
export function describeMissing(step: string, names: Iterable<string>): string | undefined {
  const all = [...names]
  if (all.length === 0) return undefined
  return `${step} names ${someOf(all)}, which ${all.length === 1 ? 'does' : 'do'} not exist.`
}

/** Formats names as `"a", "b", "c" and 2 more`. */
export function someOf(names: Iterable<string>): string {
  const all = [...names]
  const more = all.length > maxNamed ? ` and ${all.length - maxNamed} more` : ''
  return `${all.slice(0, maxNamed).map(quoted).join(', ')}${more}`
}
