import { isName, type Place } from './configuration-places.ts'
import type { ConfigurationServer } from './configuration-server.ts'
import { flagged, renamed, written } from './property-lists.ts'

/** Somebody else who changes the same configuration, in places of which each is remembered. */
export class OtherPerson {
  readonly changed = new Set<Place>()
  readonly #server: ConfigurationServer
  readonly #newValue: () => string

  constructor(server: ConfigurationServer, newValue: () => string) {
    this.#server = server
    this.#newValue = newValue
  }

  write(at: Place, to: Place): void {
    this.changed.add(at)
    if (!isName(at)) this.#server.sets({ [at]: this.#newValue() })
    else this.#server.setsProperties(all => written(all, at, to, this.#newValue()))
  }

  remove(at: Place): void {
    this.changed.add(at)
    if (!isName(at)) this.#server.sets({ [at]: '' })
    else this.#server.setsProperties(all => all.filter(({ name }) => name !== at))
  }

  rename(at: Place, to: Place): void {
    this.changed.add(at).add(to)
    if (isName(at) && isName(to)) this.#server.setsProperties(all => renamed(all, at, to))
  }

  flag(at: Place): void {
    this.changed.add(at)
    if (isName(at)) this.#server.setsProperties(all => flagged(all, at, this.#newValue()))
  }
}
