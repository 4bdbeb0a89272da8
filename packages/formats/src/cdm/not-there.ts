import { quoted } from '../import-error.ts'

const namedAtMost = 3

/** What to say of names that a step takes for attributes, and that no attribute has; undefined where there are none. */
export function notThere(step: string, names: Iterable<string>): string | undefined {
  const all = [...names]
  if (all.length === 0) return undefined
  const more = all.length > namedAtMost ? ` and ${all.length - namedAtMost} more` : ''
  const named = `${all.slice(0, namedAtMost).map(quoted).join(', ')}${more}`
  return `${step} names ${named}, which ${all.length === 1 ? 'is' : 'are'} not there.`
}
