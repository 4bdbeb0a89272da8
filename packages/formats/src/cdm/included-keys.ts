import type { Attribute } from './attribute.ts'
import { someOf } from './missing-names.ts'
import type { Place } from './report.ts'
import { isKey } from './resolved.ts'
import { traitName } from './traits.ts'

/**
 * Demotes keys of included entities, because they do not identify the including entity. Records the attributes
 * concerned.
 */
export class IncludedKeys {
  readonly #names = new Set<string>()

  /** Returns the attribute as a non-key and records it under `name`. */
  demote(attribute: Attribute, name = attribute.name): Attribute {
    if (!isKey(attribute)) return attribute
    this.#names.add(name)
    const traits = attribute.traits?.filter(trait => traitName(trait) !== 'is.identifiedBy')
    return { ...attribute, purpose: 'hasA', isKey: false, ...(traits && { traits }) }
  }

  report(place: Place): void {
    const { size } = this.#names
    if (size === 0) return
    const what = size === 1 ? 'identifies the included entity; it is' : 'identify the included entity; they are'
    place.warning(`${someOf(this.#names)} ${what} not a key here.`)
  }
}
