import type { ScopeChange } from '../contract/comparison.ts'
import { consequenceTexts } from '../messages/compare-consequences.ts'

/** `everyone`: opens, and requires no scope now. */
export type ScopeEffect = keyof typeof consequenceTexts.scopes.effects

type ScopeWords = { effect: ScopeEffect; before: string; after: string }

/** What an operation requires on both sides, and what the change means. `write` is applied to each scope. */
export function scopeWords({ before, after, opens }: ScopeChange, write = (scope: string) => scope): ScopeWords {
  const { scopes: texts } = consequenceTexts
  const requirement = (scopes: readonly string[] | null) => {
    if (scopes === null) return texts.missing
    return scopes.length === 0 ? texts.free : scopes.map(scope => write(scope)).join(', ')
  }
  const isFree = opens && after?.length === 0
  // Nothing but the authentication can have been removed.
  const isUnauthenticated = isFree && before?.length === 0
  return {
    effect: isFree ? 'everyone' : opens ? 'opens' : 'changed',
    before: requirement(before),
    after: isUnauthenticated ? texts.anyone : requirement(after),
  }
}
