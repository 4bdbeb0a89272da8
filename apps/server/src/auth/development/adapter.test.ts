import { removeFolder, temporaryFolder } from '@cadmus/testing/temporary'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it } from 'vitest'
import { openProviderStore } from './adapter.ts'

it('abandoned sign-in attempts are bounded and do not displace signed-in users', async () => {
  const dataDir = temporaryFolder('attempts')
  const store = openProviderStore(dataDir)
  const sessions = store.adapter('Session')
  const interactions = store.adapter('Interaction')
  await sessions.upsert('signed-in', { kind: 'Session', accountId: 'designer', uid: 'u' }, 1)
  await sessions.upsert('signed-in', { kind: 'Session', accountId: 'designer', uid: 'u' }, 3600)
  await interactions.upsert('over', { kind: 'Interaction' }, -10)
  for (let attempt = 0; attempt < 5300; attempt++) {
    await sessions.upsert(`s${attempt}`, { kind: 'Session', uid: `${attempt}` }, 7200)
    if (attempt % 20 === 0) await interactions.upsert(`i${attempt}`, { kind: 'Interaction' }, 600)
  }
  expect(await sessions.find('signed-in')).toMatchObject({ accountId: 'designer' })
  expect(await sessions.find('s5299')).toBeDefined()
  store.close()
  const database = new DatabaseSync(join(dataDir, 'identity-provider.sqlite'))
  const count = (where: string) => database.prepare(`SELECT count(*) AS n FROM kept WHERE ${where}`).get()?.['n']
  expect(count("kind = 'Session'")).toBeLessThanOrEqual(5101)
  expect(count("id = 'over'")).toBe(0)
  database.close()
  removeFolder(dataDir)
})

it('signing in as another user revokes the tokens of the old grant but keeps the pending sign-in', async () => {
  const dataDir = temporaryFolder('grants')
  const store = openProviderStore(dataDir)
  const [tokens, interactions] = [store.adapter('AccessToken'), store.adapter('Interaction')]
  await tokens.upsert('token', { kind: 'AccessToken', grantId: 'g' }, 600)
  await interactions.upsert('begun', { kind: 'Interaction', grantId: 'g' }, 600)
  await tokens.revokeByGrantId('g')
  expect([await tokens.find('token'), await interactions.find('begun')]).toEqual([
    undefined,
    { kind: 'Interaction', grantId: 'g' },
  ])
  store.close()
  removeFolder(dataDir)
})
