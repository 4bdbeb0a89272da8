import type { OptionSource } from '../../ui/options.ts'

/** The names of the public model's traits, fetched when somebody first looks for one: those that begin with the text come first. */
export const traitSource: OptionSource<unknown> = {
  key: ['traits'],
  async load(search, page, limit) {
    const { traitNames } = await import('@cadmus/model/trait-names')
    const text = search.trim().toLowerCase()
    const found = traitNames.filter(name => name.toLowerCase().includes(text))
    const first = found.filter(name => name.toLowerCase().startsWith(text))
    const others = found.filter(name => !name.toLowerCase().startsWith(text))
    const shown = [...first, ...others].slice(page * limit, (page + 1) * limit)
    return { options: shown.map(name => ({ value: name, label: name, data: null })), total: found.length }
  },
}
