import type { Attribute } from './attribute.ts'
import { someOf } from './not-there.ts'
import type { Place } from './report.ts'
import { isKey } from './resolved.ts'
import { traitName } from './traits.ts'

/** What identifies an entity identifies no other that takes its attributes in. Knows which attributes that was. */
export class KeysTakenIn {
  readonly #names = new Set<string>()

  /** The attribute as none that identifies; `name` is what it is called there. */
  none(attribute: Attribute, name = attribute.name): Attribute {
    if (!isKey(attribute)) return attribute
    this.#names.add(name)
    const traits = attribute.traits?.filter(trait => traitName(trait) !== 'is.identifiedBy')
    return { ...attribute, purpose: 'hasA', isKey: false, ...(traits && { traits }) }
  }

  report(place: Place): void {
    const { size } = this.#names
    if (size === 0) return
    const what =
      size === 1 ? 'identifies the entity that is taken in; it is' : 'identify the entity that is taken in; they are'
    place.warning(`${someOf(this.#names)} ${what} no key here.`)
  }
}
