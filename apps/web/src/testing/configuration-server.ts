import {
  isPlaceholder,
  newConfiguration,
  placeholderOf,
  withoutSecrets,
  type Configuration,
} from '@cadmus/model/configuration'
import { isEqual } from '@cadmus/model/equal'
import { isSecretField, mergeConfigurations } from '@cadmus/model/merge-configuration'
import type { SavedConfiguration } from '../api/configurations.ts'
import { ApiError } from '../api/error.ts'
import { configurationStandIn } from '../features/configuration/configuration-store.ts'

type Pool = Configuration['packageProperties']['connectionPoolInfo']
export type Property = Configuration['packageProperties']['customProperties'][number]

/** What a server does with saves of one configuration: closes secrets, merges, refuses, and shows what stands for a secret. */
export class ConfigurationServer {
  readonly states: Configuration[] = [newConfiguration('Shop')]
  refused = 0
  #closed = 0
  readonly #answers = new Map<string, { saved: SavedConfiguration; etag: string }>()
  /** What the page stored itself, as it is closed. */
  readonly #own = new Set<string>()

  get etag(): string {
    return `"${this.states.length - 1}"`
  }

  get newest(): Configuration {
    return this.states.at(-1) ?? newConfiguration('Shop')
  }

  /** Its secrets in clear. */
  get pool(): Pool {
    return this.opened(this.newest).packageProperties.connectionPoolInfo
  }

  load(): { saved: SavedConfiguration; etag: string } {
    return { saved: configurationStandIn(4, withoutSecrets(this.newest, standingFor), undefined), etag: this.etag }
  }

  /** Somebody else's save. */
  sets(pool: Partial<Pool>): void {
    const { packageProperties } = this.newest
    const connectionPoolInfo = { ...packageProperties.connectionPoolInfo, ...pool }
    this.#push({ ...this.newest, packageProperties: { ...packageProperties, connectionPoolInfo } })
  }

  setsProperties(change: (all: readonly Property[]) => Property[]): void {
    const { packageProperties } = this.newest
    const customProperties = change(packageProperties.customProperties)
    this.#push({ ...this.newest, packageProperties: { ...packageProperties, customProperties } })
  }

  /** What a save stored, as its answer was; null: nothing. */
  savedBy(saveId: string): { saved: SavedConfiguration; etag: string } | null {
    return this.#answers.get(saveId) ?? null
  }

  save(wanted: Configuration, etag: string, saveId = ''): { saved: SavedConfiguration; etag: string } {
    const base = this.states[Number(etag.slice(1, -1))] ?? this.newest
    const mine = this.#withOwn(this.#sealed(wanted))
    const { merged, conflicts } = mergeConfigurations(base, mine, this.newest)
    if (merged) {
      const isOther = !isEqual(merged, this.newest)
      this.states.push(merged)
      // What changes nothing is no change.
      if (isOther) this.#answers.set(saveId, this.load())
      return this.load()
    }
    this.refused += 1
    const told = conflicts.map(one => {
      const hidden = isSecretField(one, [base, mine]) ? { base: null, mine: null, theirs: null } : {}
      return { ...one, ...hidden, who: 'Ann', when: '2026-01-01T00:00:00Z' }
    })
    throw new ApiError(409, { message: 'Stale.', code: 'conflict', conflicts: told, etag: this.etag })
  }

  /** With every secret in clear: what is stored, or what a page has of it. */
  opened(configuration: Configuration): Configuration {
    return withSecrets(configuration, value => clearOf(isPlaceholder(value) ? this.#known(value) : value))
  }

  #push(state: Configuration): void {
    this.states.push(this.#sealed(state))
  }

  #sealed(wanted: Configuration): Configuration {
    return withSecrets(wanted, value => {
      if (isPlaceholder(value)) return this.#known(value)
      return value === '' || value.startsWith(seal) ? value : `${seal}${(this.#closed += 1)}:${value}`
    })
  }

  /** With what this page stored itself where it sends the same again. */
  #withOwn(mine: Configuration): Configuration {
    const { connectionPoolInfo, customProperties } = this.newest.packageProperties
    const stored = [connectionPoolInfo.password, ...customProperties.map(({ value }) => value)]
    const own = new Map(stored.filter(value => this.#own.has(value)).map(value => [clearOf(value), value]))
    const again = withSecrets(mine, value => own.get(clearOf(value)) ?? value)
    for (const value of secretsOf(again)) this.#own.add(value)
    return again
  }

  #known(placeholder: string): string {
    const all = this.states.flatMap(({ packageProperties: { connectionPoolInfo, customProperties } }) => [
      connectionPoolInfo.password,
      ...customProperties.flatMap(({ secret, value }) => (secret ? [value] : [])),
    ])
    const found = all.find(value => value !== '' && standingFor(value) === placeholder)
    if (found === undefined) throw new ApiError(400, { message: 'It is not known any more.', code: 'invalid' })
    return found
  }
}

function secretsOf({ packageProperties: { connectionPoolInfo, customProperties } }: Configuration): string[] {
  return [connectionPoolInfo.password, ...customProperties.filter(({ secret }) => secret).map(({ value }) => value)]
}

const seal = 'closed '

function clearOf(value: string): string {
  return value.startsWith(seal) ? value.slice(value.indexOf(':') + 1) : value
}

function standingFor(closed: string): string {
  return placeholderOf(closed.slice(seal.length, closed.indexOf(':')).padStart(22, '0'))
}

function withSecrets(configuration: Configuration, make: (value: string) => string): Configuration {
  const { packageProperties } = configuration
  const { connectionPoolInfo, customProperties } = packageProperties
  return {
    ...configuration,
    packageProperties: {
      connectionPoolInfo: { ...connectionPoolInfo, password: make(connectionPoolInfo.password) },
      customProperties: customProperties.map(item => (item.secret ? { ...item, value: make(item.value) } : item)),
    },
  }
}
