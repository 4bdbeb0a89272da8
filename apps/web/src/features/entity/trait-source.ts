import { bestMatches } from '@cadmus/model/match-rank'
import type { OptionSource } from '../../ui/options.ts'

/** The names of the public model's traits, fetched when somebody first looks for one: the text itself comes first, then what begins so. */
export const traitSource: OptionSource<unknown> = {
  key: ['traits'],
  async load(search, page, limit) {
    const { traitNames } = await import('@cadmus/model/trait-names')
    const found = bestMatches(traitNames, name => [name], search)
    const shown = found.slice(page * limit, (page + 1) * limit)
    return { options: shown.map(name => ({ value: name, label: name, data: null })), total: found.length }
  },
}
