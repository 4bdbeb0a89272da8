import type { Configuration } from '@cadmus/model/configuration'
import type { ConfigurationEdit } from '@cadmus/model/edits/configuration-edit'
import type { Seen } from '../drafts/seen-states.ts'
import type { Property } from './configuration-server.ts'

type Typed<P> = { at: P; text: string; row: Property | undefined; seen: Seen<Configuration> }
type Known = { at: string; mayReplace: Set<string | undefined> }

/** Secrets that somebody types, and what each of them may replace: what was there when the typing began, what one saved oneself since, and what was told. */
export class TypedSecrets<P extends string> {
  #typed: Typed<P> | null = null
  readonly #known = new Map<string, Known>()

  begin(typed: Typed<P>, there: readonly (string | undefined)[]): void {
    this.#typed = typed
    this.#known.set(typed.text, { at: typed.at, mayReplace: new Set(there) })
  }

  end(): Typed<P> | null {
    const typed = this.#typed
    this.#typed = null
    return typed
  }

  /** The person knows of the value of the place. */
  told(at: P, value: string | undefined): void {
    for (const one of this.#known.values()) if (one.at === at) one.mayReplace.add(value)
  }

  mayReplace(text: string | undefined, value: string | undefined): boolean {
    return this.#known.get(text ?? '')?.mayReplace.has(value) ?? true
  }

  /** What of a configuration has one of them in the open. */
  openIn({ packageProperties }: Configuration): string[] {
    const isOpen = ({ secret, value }: Property) => !secret && (this.#known.has(value) || value.startsWith('********'))
    return packageProperties.customProperties.filter(isOpen).map(({ name }) => name)
  }
}

/** The edit with which a field takes what was typed: of a row that is gone it is a new one. */
export function settingSecret(content: Configuration, { at, text, row }: Typed<string>): ConfigurationEdit {
  const { customProperties } = content.packageProperties
  const edit = (path: string[], value: string | Property[]): ConfigurationEdit => ({
    kind: 'changeConfiguration',
    changes: [{ path: ['packageProperties', ...path], value }],
  })
  if (at === 'password') return edit(['connectionPoolInfo', at], text)
  const isThere = customProperties.some(({ name }) => name === at)
  const set = (item: Property) => (item.name === at ? { ...item, secret: true, value: text } : item)
  return edit(['customProperties'], [...customProperties.map(set), ...(row && !isThere ? [set(row)] : [])])
}
