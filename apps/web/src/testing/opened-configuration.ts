import type { Configuration } from '@cadmus/model/configuration'
import type { ConfigurationEdit } from '@cadmus/model/edits/configuration-edit'
import { unreachable } from '../api/error.ts'
import { DraftSaves } from '../drafts/draft-saves.ts'
import type { SavedConfiguration } from '../api/configurations.ts'
import type { FindAuthors } from '../drafts/conflict-authors.ts'
import { DraftStore } from '../drafts/draft-store.ts'
import { configurationDrafts } from '../features/configuration/configuration-store.ts'
import { ConfigurationServer } from './configuration-server.ts'

type Pool = Configuration['packageProperties']['connectionPoolInfo']

class Server extends ConfigurationServer {
  /** What happens while a save is on its way. */
  meanwhile: () => void = () => undefined
}

/** A page that shows the configuration, and its server. */
export function openedConfiguration(pool: Partial<Pool> = {}) {
  const server = new Server()
  server.sets(pool)
  /** What it says of who changed places. */
  const log = { findAuthors: nobody }
  let isLost = false
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
    send: async ({ content, etag }, _version, saveId) => {
      server.meanwhile()
      const answer = server.save(content, etag, saveId)
      if (isLost) throw unreachable()
      return answer
    },
    answerTo: async ({ saveId }) => {
      server.meanwhile()
      return server.savedBy(saveId)
    },
    load: async () => server.load(),
    success: 'Saved.',
    findAuthors: async (saved, places) => log.findAuthors(saved, places),
  })
  /** The page reads what there is, as it does when it is looked at again. */
  const read = () => {
    const { saved, etag } = server.load()
    store.receive(saved, etag, undefined)
  }
  read()
  /** Whatever is saved by it is stored, and no answer arrives. */
  const losing = (save: () => Promise<boolean>) => {
    isLost = true
    return save().finally(() => {
      isLost = false
    })
  }
  const open = () => {
    const found = store.get('4')
    if (!found) throw new Error('It is not open.')
    return found
  }
  return {
    log,
    server,
    store,
    saves,
    read,
    open,
    write: (field: keyof Pool, value: string) => store.edit('4', () => [set(field, value)]),
    pool: () => open().draft.content.packageProperties.connectionPoolInfo,
    rows: () => open().conflicts.map(({ field, mine, theirs }) => [field, mine, theirs]),
    save: () => saves.save('4'),
    /** A save that is stored, or not where something happens to it on its way, and whose answer does not arrive. */
    saveLost: async (onItsWay: () => void = () => undefined) => {
      server.meanwhile = onItsWay
      const isSaved = await losing(() => saves.save('4'))
      server.meanwhile = () => undefined
      return isSaved
    },
    losing,
    settle: (keep: 'mine' | 'theirs') => saves.settle('4', keep),
  }
}

const nobody: FindAuthors<SavedConfiguration> = async () => []

const set = (field: string, value: string): ConfigurationEdit => ({
  kind: 'changeConfiguration',
  changes: [{ path: ['packageProperties', 'connectionPoolInfo', field], value }],
})
