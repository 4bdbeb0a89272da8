import type { Configuration } from '@cadmus/model/configuration'
import type { ConfigurationEdit } from '@cadmus/model/edits/configuration-edits'
import type { Seen } from '../drafts/open-draft.ts'
import type { Property } from './configuration-server.ts'

type Typed<P> = { at: P; text: string; row: Property | undefined; seen: Seen<Configuration> }
type KnownValues = { at: string; mayReplace: Set<string | undefined> }

/**
 * Typed secrets with the values that each may replace: those present when typing began, and those saved or reported
 * since.
 */
export class TypedSecrets<P extends string> {
  #typed: Typed<P> | null = null
  readonly #knownByText = new Map<string, KnownValues>()

  begin(typed: Typed<P>, values: readonly (string | undefined)[]): void {
    this.#typed = typed
    this.#knownByText.set(typed.text, { at: typed.at, mayReplace: new Set(values) })
  }

  end(): Typed<P> | null {
    const typed = this.#typed
    this.#typed = null
    return typed
  }

  markKnown(at: P, value: string | undefined): void {
    for (const one of this.#knownByText.values()) if (one.at === at) one.mayReplace.add(value)
  }

  mayReplace(text: string | undefined, value: string | undefined): boolean {
    return this.#knownByText.get(text ?? '')?.mayReplace.has(value) ?? true
  }

  /** Names of properties that expose a typed secret. */
  openIn({ packageProperties }: Configuration): string[] {
    const isOpen = ({ secret, value }: Property) =>
      !secret && (this.#knownByText.has(value) || value.startsWith('********'))
    return packageProperties.customProperties.filter(isOpen).map(({ name }) => name)
  }
}

/** The edit that a field makes for typed text; recreates the row if it was removed. */
export function settingSecret(content: Configuration, { at, text, row }: Typed<string>): ConfigurationEdit {
  const { customProperties } = content.packageProperties
  const edit = (path: string[], value: string | Property[]): ConfigurationEdit => ({
    kind: 'changeConfiguration',
    changes: [{ path: ['packageProperties', ...path], value }],
  })
  if (at === 'password') return edit(['connectionPoolInfo', at], text)
  const exists = customProperties.some(({ name }) => name === at)
  const set = (item: Property) => (item.name === at ? { ...item, secret: true, value: text } : item)
  return edit(['customProperties'], [...customProperties.map(set), ...(row && !exists ? [set(row)] : [])])
}
