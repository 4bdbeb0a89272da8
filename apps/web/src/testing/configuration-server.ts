import {
  isPlaceholder,
  newConfiguration,
  placeholderOf,
  withoutSecrets,
  type Configuration,
} from '@cadmus/model/configuration'
import { isEqual } from '@cadmus/model/equal'
import { isSecretField, mergeConfigurations } from '@cadmus/model/merge/configuration'
import type { SavedConfiguration } from '../api/configurations.ts'
import { ApiError } from '../api/error.ts'
import { configurationStandIn } from '../drafts/configuration-store.ts'

type Pool = Configuration['packageProperties']['connectionPoolInfo']
export type Property = Configuration['packageProperties']['customProperties'][number]

/** Fake server for one configuration: seals secrets, merges and refuses saves, and returns placeholders. */
export class ConfigurationServer {
  readonly states: Configuration[] = [newConfiguration('Shop')]
  refused = 0
  #sealCount = 0
  readonly #answers = new Map<string, { saved: SavedConfiguration; etag: string }>()
  /** Sealed secrets that this page has stored. */
  readonly #own = new Set<string>()

  get etag(): string {
    return `"${this.states.length - 1}"`
  }

  get newest(): Configuration {
    return this.states.at(-1) ?? newConfiguration('Shop')
  }

  get pool(): Pool {
    return this.unsealed(this.newest).packageProperties.connectionPoolInfo
  }

  load(): { saved: SavedConfiguration; etag: string } {
    return { saved: configurationStandIn(4, withoutSecrets(this.newest, placeholderFor), undefined), etag: this.etag }
  }

  /** A save by the second writer. */
  setPool(pool: Partial<Pool>): void {
    const { packageProperties } = this.newest
    const connectionPoolInfo = { ...packageProperties.connectionPoolInfo, ...pool }
    this.#push({ ...this.newest, packageProperties: { ...packageProperties, connectionPoolInfo } })
  }

  setProperties(change: (all: readonly Property[]) => Property[]): void {
    const { packageProperties } = this.newest
    const customProperties = change(packageProperties.customProperties)
    this.#push({ ...this.newest, packageProperties: { ...packageProperties, customProperties } })
  }

  /** The response to a stored save; null if none was stored. */
  savedBy(saveId: string): { saved: SavedConfiguration; etag: string } | null {
    return this.#answers.get(saveId) ?? null
  }

  save(content: Configuration, etag: string, saveId = ''): { saved: SavedConfiguration; etag: string } {
    const base = this.states[Number(etag.slice(1, -1))] ?? this.newest
    const mine = this.#withOwn(this.#sealed(content))
    const { merged, conflicts } = mergeConfigurations(base, mine, this.newest)
    if (merged) {
      const isOther = !isEqual(merged, this.newest)
      this.states.push(merged)
      // A save without changes has no entry.
      if (isOther) this.#answers.set(saveId, this.load())
      return this.load()
    }
    this.refused += 1
    const reported = conflicts.map(one => {
      const hidden = isSecretField(one, [base, mine]) ? { base: null, mine: null, theirs: null } : {}
      return { ...one, ...hidden, who: 'Ann', when: '2026-01-01T00:00:00Z' }
    })
    throw new ApiError(409, { message: 'Stale.', code: 'conflict', conflicts: reported, etag: this.etag })
  }

  unsealed(configuration: Configuration): Configuration {
    return withSecrets(configuration, value => plainText(isPlaceholder(value) ? this.#sealedFor(value) : value))
  }

  #push(state: Configuration): void {
    this.states.push(this.#sealed(state))
  }

  #sealed(content: Configuration): Configuration {
    return withSecrets(content, value => {
      if (isPlaceholder(value)) return this.#sealedFor(value)
      return value === '' || value.startsWith(seal) ? value : `${seal}${(this.#sealCount += 1)}:${value}`
    })
  }

  /** Reuses the sealed form of secrets that this page sends again. */
  #withOwn(mine: Configuration): Configuration {
    const { connectionPoolInfo, customProperties } = this.newest.packageProperties
    const stored = [connectionPoolInfo.password, ...customProperties.map(({ value }) => value)]
    const own = new Map(stored.filter(value => this.#own.has(value)).map(value => [plainText(value), value]))
    const again = withSecrets(mine, value => own.get(plainText(value)) ?? value)
    for (const value of secretsOf(again)) this.#own.add(value)
    return again
  }

  #sealedFor(placeholder: string): string {
    const all = this.states.flatMap(({ packageProperties: { connectionPoolInfo, customProperties } }) => [
      connectionPoolInfo.password,
      ...customProperties.flatMap(({ secret, value }) => (secret ? [value] : [])),
    ])
    const sealed = all.find(value => value !== '' && placeholderFor(value) === placeholder)
    if (sealed === undefined) throw new ApiError(400, { message: 'The placeholder is unknown.', code: 'invalid' })
    return sealed
  }
}

function secretsOf({ packageProperties: { connectionPoolInfo, customProperties } }: Configuration): string[] {
  return [connectionPoolInfo.password, ...customProperties.filter(({ secret }) => secret).map(({ value }) => value)]
}

const seal = 'closed '

function plainText(value: string): string {
  return value.startsWith(seal) ? value.slice(value.indexOf(':') + 1) : value
}

function placeholderFor(sealed: string): string {
  return placeholderOf(sealed.slice(seal.length, sealed.indexOf(':')).padStart(22, '0'))
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
