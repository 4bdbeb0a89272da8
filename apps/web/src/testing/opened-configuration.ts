import type { Configuration } from '@cadmus/model/configuration'
import type { ConfigurationEdit } from '@cadmus/model/edits/configuration-edits'
import { unreachable } from '../api/error.ts'
import type { SavedConfiguration } from '../api/configurations.ts'
import { conflictsOf } from '../drafts/open-draft.ts'
import { OpenDrafts, type DraftServer } from '../drafts/open-drafts.ts'
import { configurationDrafts } from '../drafts/configuration-store.ts'
import { ConfigurationServer } from './configuration-server.ts'

type Pool = Configuration['packageProperties']['connectionPoolInfo']

class Server extends ConfigurationServer {
  /** Runs while a save is in progress. */
  duringSave: () => void = () => undefined
}

/** A page with an open configuration, and its server. */
export function openedConfiguration(pool: Partial<Pool> = {}) {
  const server = new Server()
  server.setPool(pool)
  /** Replaceable look-up of authors. */
  const log = { findAuthors: noAuthors }
  let isLost = false
  const drafts = configurationDrafts
  const store = new OpenDrafts({
    kind: 'configuration',
    drafts,
    title: ({ name }) => name,
    failed: 'Failed.',
    placeOf: ({ path, currentVersion: version }) => ({ path, version, manifest: null }),
    deletion: async () => ({ who: 'Ann', when: '2026-01-01T00:00:00Z' }),
  })
  store.connect({
    send: async ({ content, etag }, _version, operationId) => {
      server.duringSave()
      const answer = server.save(content, etag, operationId)
      if (isLost) throw unreachable()
      return answer
    },
    settle: async ({ id }) => {
      server.duringSave()
      return server.savedBy(id)
    },
    load: async () => server.load(),
    success: 'Saved.',
    findAuthors: async (saved, places, scope) => log.findAuthors(saved, places, scope),
  })
  /** Reloads the server's state, as on returning to the page. */
  const read = () => {
    const { saved, etag } = server.load()
    store.receive(saved, etag, undefined)
  }
  read()
  const open = () => {
    const current = store.get('4')
    if (!current) throw new Error('It is not open.')
    return current
  }
  return {
    log,
    server,
    store,
    read,
    open,
    write: (field: keyof Pool, value: string) => store.edit('4', () => [set(field, value)]),
    pool: () => open().draft.content.packageProperties.connectionPoolInfo,
    error: () => open().problem?.message ?? null,
    rows: () => conflictsOf(open()).map(({ field, mine, theirs }) => [field, mine, theirs]),
    save: () => store.save('4'),
    /** A save whose response is lost; `duringSave` can prevent it from being stored. */
    saveWithLostResponse: async (duringSave: () => void = () => undefined) => {
      server.duringSave = duringSave
      isLost = true
      const isSaved = await store.save('4')
      isLost = false
      server.duringSave = () => undefined
      return isSaved
    },
    keep: (side: 'mine' | 'theirs') => store.keep('4', side),
  }
}

type Calls = DraftServer<SavedConfiguration, Configuration, ConfigurationEdit>
const noAuthors: NonNullable<Calls['findAuthors']> = async () => []

const set = (field: string, value: string): ConfigurationEdit => ({
  kind: 'changeConfiguration',
  changes: [{ path: ['packageProperties', 'connectionPoolInfo', field], value }],
})
