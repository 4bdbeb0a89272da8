import { packageDatabases } from '@cadmus/model/database-types'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { sessionStore } from '../../api/session-store.ts'
import { openBlueprint } from './blueprint.ts'
import { lastPublished, rememberPublished } from './published.ts'

const shop = { id: 7, name: 'Shop' }

const user = {
  username: 'dan',
  fullname: 'Dan',
  email: 'dan@example.com',
  avatar: null,
  memberId: 'u1',
  organisationCode: null,
  organisationName: null,
  negroniPermission: '1',
  negroniLicenseLimits: 'mc=7',
  isAdmin: false,
  permissions: [],
}
const signIn = (userId: string) => sessionStore.setState({ user: { ...user, userId } })

beforeEach(() => {
  const stored = new Map<string, string>()
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => stored.get(key) ?? null,
    setItem: (key: string, value: string) => stored.set(key, value),
  })
})
afterEach(() => {
  sessionStore.setState({ user: null })
  vi.unstubAllGlobals()
})

it('the answers of a publication are known to its user only, without passwords', () => {
  signIn('ann')
  const opened = openBlueprint(shop, packageDatabases)
  rememberPublished(
    {
      ...opened,
      url: 'https://far.test',
      credentials: { username: 'ann', password: 'hidden-1' },
      connection: { ...opened.connection, username: 'shop', password: 'hidden-2' },
      built: { packageId: 1, name: 'shop', version: '1.0.0' },
    },
    'shop',
  )
  const answers = lastPublished(shop.id)
  expect(answers).toMatchObject({ url: 'https://far.test', username: 'ann', package: { name: 'shop' } })
  expect(JSON.stringify(answers)).not.toContain('hidden')
  signIn('eve')
  expect(lastPublished(shop.id)).toBeNull()
})
