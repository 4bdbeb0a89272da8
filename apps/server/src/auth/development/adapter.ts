import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { restrictToOwner } from '../../data-dir.ts'
import type { Adapter, AdapterFactory, AdapterPayload } from 'oidc-provider'
import { sqliteFailure } from '../../store/failures.ts'

/** Persists the provider's sessions, grants and tokens across restarts, in a file of the data directory. */
export function openProviderStore(dataDir: string): { adapter: AdapterFactory; close: () => void } {
  const file = join(dataDir, 'identity-provider.sqlite')
  restrictToOwner(file)
  const database = new DatabaseSync(file)
  database.exec(`
    PRAGMA journal_mode = WAL;
    PRAGMA synchronous = NORMAL;
    CREATE TABLE IF NOT EXISTS kept (
      kind TEXT NOT NULL, id TEXT NOT NULL, payload TEXT NOT NULL, grant_id TEXT, uid TEXT, ends INTEGER,
      PRIMARY KEY (kind, id)
    );
    CREATE INDEX IF NOT EXISTS kept_grant ON kept (grant_id);
    CREATE INDEX IF NOT EXISTS kept_uid ON kept (kind, uid);
    CREATE INDEX IF NOT EXISTS kept_end ON kept (ends);
    CREATE INDEX IF NOT EXISTS kept_kind_end ON kept (kind, ends);
    DELETE FROM kept WHERE ends < unixepoch();
  `)
  return { adapter: kind => adapterOf(database, kind), close: () => database.close() }
}

function adapterOf(database: DatabaseSync, kind: string): Adapter {
  const find = (column: 'id' | 'uid', value: string): AdapterPayload | undefined => {
    const row = database
      .prepare(`SELECT payload FROM kept WHERE kind = ? AND ${column} = ? AND (ends IS NULL OR ends > unixepoch())`)
      .get(kind, value)
    return row === undefined ? undefined : payloadOf(String(row['payload']))
  }
  const put = (id: string, payload: AdapterPayload, ends: number | null): void => {
    database
      .prepare('INSERT OR REPLACE INTO kept (kind, id, payload, grant_id, uid, ends) VALUES (?, ?, ?, ?, ?, ?)')
      .run(kind, id, JSON.stringify(payload), payload.grantId ?? null, payload.uid ?? null, ends)
  }
  return {
    upsert: async (id, payload, expiresIn) =>
      translateErrors(() => {
        if (++writeCount % cleanInterval === 0) deleteExpired(database)
        put(id, payload, expiresIn === undefined ? null : Math.floor(Date.now() / 1000) + expiresIn)
      }),
    find: async id => translateErrors(() => find('id', id)),
    findByUid: async uid => translateErrors(() => find('uid', uid)),
    // User codes belong to the device flow, which is disabled.
    async findByUserCode() {
      return undefined
    },
    consume: async id =>
      translateErrors(() => {
        const now = Math.floor(Date.now() / 1000)
        database
          .prepare("UPDATE kept SET payload = json_set(payload, '$.consumed', ?) WHERE kind = ? AND id = ?")
          .run(now, kind, id)
      }),
    destroy: async id =>
      translateErrors(() => {
        database.prepare('DELETE FROM kept WHERE kind = ? AND id = ?').run(kind, id)
      }),
    revokeByGrantId: async grantId =>
      translateErrors(() => {
        // An interaction outlives the grant it names: signing in as another user revokes the previous grant on the way.
        database.prepare("DELETE FROM kept WHERE grant_id = ? AND kind <> 'Interaction'").run(grantId)
      }),
  }
}

/** Reports a full or failing disk like the console's own store. */
function translateErrors<T>(work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw sqliteFailure(error) ?? error
  }
}

/** Maximum stored anonymous sign-in attempts per kind: starting one needs no authentication. */
const maxAttempts = 5000
const cleanInterval = 100
let writeCount = 0

/** Removes expired rows, and the oldest attempts above the limit. */
function deleteExpired(database: DatabaseSync): void {
  database.exec('DELETE FROM kept WHERE ends < unixepoch()')
  const tooMany = database.prepare(
    `DELETE FROM kept WHERE rowid IN (SELECT rowid FROM kept WHERE kind = ? AND payload NOT LIKE '%"accountId"%'
     ORDER BY ends DESC LIMIT -1 OFFSET ?)`,
  )
  for (const kind of ['Interaction', 'Session']) tooMany.run(kind, maxAttempts)
}

function payloadOf(text: string): AdapterPayload {
  return JSON.parse(text)
}
