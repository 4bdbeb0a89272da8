import { newConfiguration, secretPlaceholder, withoutSecrets, type Configuration } from '@cadmus/model/configuration'
import type { ConfigurationEdit } from '@cadmus/model/edits/configuration-edit'
import { isSecretField, mergeConfigurations } from '@cadmus/model/merge-configuration'
import type { SavedConfiguration } from '../api/configurations.ts'
import { ApiError } from '../api/error.ts'
import { DraftSaves } from '../drafts/draft-saves.ts'
import { DraftStore } from '../drafts/draft-store.ts'
import { configurationDrafts } from '../features/configuration/configuration-store.ts'

type Pool = Configuration['packageProperties']['connectionPoolInfo']

/** What a server does with saves of one configuration: merges, refuses, and shows no secret. */
class Server {
  readonly states: Configuration[] = [newConfiguration('Shop')]
  refused = 0
  /** What happens while a save is on its way. */
  meanwhile: () => void = () => undefined

  get etag() {
    return `"${this.states.length - 1}"`
  }

  get pool() {
    return this.newest.packageProperties.connectionPoolInfo
  }

  get newest(): Configuration {
    return this.states.at(-1) ?? newConfiguration('Shop')
  }

  load = () => ({ saved: shown(withoutSecrets(this.newest)), etag: this.etag })

  /** Somebody else's save. */
  sets(pool: Partial<Pool>) {
    this.states.push(withPool(this.newest, pool))
  }

  save(wanted: Configuration, etag: string) {
    const base = this.states[Number(etag.slice(1, -1))] ?? this.newest
    const isKept = wanted.packageProperties.connectionPoolInfo.password === secretPlaceholder
    const mine = isKept ? withPool(wanted, { password: base.packageProperties.connectionPoolInfo.password }) : wanted
    const { merged, conflicts } = mergeConfigurations(base, mine, this.newest)
    if (merged) {
      this.states.push(merged)
      return this.load()
    }
    this.refused += 1
    const told = conflicts.map(one => {
      const hidden = isSecretField(one, [base, mine]) ? { base: null, mine: null, theirs: null } : {}
      return { ...one, ...hidden, who: 'Ann', when: '2026-01-01T00:00:00Z' }
    })
    throw new ApiError(409, { message: 'Stale.', code: 'conflict', conflicts: told, etag: this.etag })
  }
}

function withPool(configuration: Configuration, pool: Partial<Pool>): Configuration {
  const { packageProperties } = configuration
  const connectionPoolInfo = { ...packageProperties.connectionPoolInfo, ...pool }
  return { ...configuration, packageProperties: { ...packageProperties, connectionPoolInfo } }
}

function shown(configuration: Configuration): SavedConfiguration {
  const version = { versions: ['1.0.0'], latestVersion: '1.0.0', currentVersion: '1.0.0' }
  return { id: 4, name: 'Shop', path: 'user-defined/Shop', isDefault: false, ...version, configuration }
}

/** A page that shows the configuration, and its server. */
export function openedConfiguration(pool: Partial<Pool> = {}) {
  const server = new Server()
  server.sets(pool)
  const drafts = configurationDrafts
  const store = new DraftStore({
    kind: 'configuration',
    drafts,
    title: ({ name }) => name,
    failed: 'Failed.',
    placeOf: ({ path, currentVersion: version }) => ({ path, version, manifest: null }),
    deletion: async () => ({ who: 'Ann', when: '2026-01-01T00:00:00Z' }),
  })
  const saves = new DraftSaves({
    store,
    send: async ({ content, etag }) => {
      server.meanwhile()
      return server.save(content, etag)
    },
    load: async () => server.load(),
    success: 'Saved.',
  })
  /** The page reads what there is, as it does when it is looked at again. */
  const read = () => {
    const { saved, etag } = server.load()
    store.receive(saved, etag, undefined)
  }
  read()
  const open = () => {
    const found = store.get('4')
    if (!found) throw new Error('It is not open.')
    return found
  }
  return {
    server,
    store,
    saves,
    read,
    open,
    write: (field: keyof Pool, value: string) => store.edit('4', () => [set(field, value)]),
    pool: () => open().draft.content.packageProperties.connectionPoolInfo,
    rows: () => open().conflicts.map(({ field, mine, theirs }) => [field, mine, theirs]),
    save: () => saves.save('4'),
    settle: (keep: 'mine' | 'theirs') => saves.settle('4', keep),
  }
}

const set = (field: string, value: string): ConfigurationEdit => ({
  kind: 'changeConfiguration',
  changes: [{ path: ['packageProperties', 'connectionPoolInfo', field], value }],
})
