import { isName, type Place } from './configuration-places.ts'
import type { ConfigurationServer } from './configuration-server.ts'
import { withFlag, withName, withValue } from './property-lists.ts'

/** A second writer; remembers the places that it changed. */
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
    if (!isName(at)) this.#server.setPool({ [at]: this.#newValue() })
    else this.#server.setProperties(all => withValue(all, at, to, this.#newValue()))
  }

  remove(at: Place): void {
    this.changed.add(at)
    if (!isName(at)) this.#server.setPool({ [at]: '' })
    else this.#server.setProperties(all => all.filter(({ name }) => name !== at))
  }

  rename(at: Place, to: Place): void {
    this.changed.add(at).add(to)
    if (isName(at) && isName(to)) this.#server.setProperties(all => withName(all, at, to))
  }

  flag(at: Place): void {
    this.changed.add(at)
    if (isName(at)) this.#server.setProperties(all => withFlag(all, at, this.#newValue()))
  }
}
