import { bestMatches } from '@cadmus/model/match-rank'
import type { OptionSource } from '../../ui/options.ts'

/** Trait names of the public model, loaded on first use: exact match first, then prefixes. */
export const traitSource: OptionSource<unknown> = {
  key: ['console', 'traits'],
  async load(search, page, limit) {
    const { traitNames } = await import('@cadmus/model/trait-names')
    const matches = bestMatches(traitNames, name => [name], search)
    const shown = matches.slice(page * limit, (page + 1) * limit)
    return { options: shown.map(name => ({ value: name, label: name, data: null })), total: matches.length }
  },
}
