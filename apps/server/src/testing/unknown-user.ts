import { newUid } from '@cadmus/model/uid'
import { saveProfile } from '../auth/profile.ts'
import { cookieNames, openSession, ssoPath } from '../auth/session.ts'
import type { Permission } from '@cadmus/model/contract/sso'
import { Browser } from './browser.ts'
import { ConsoleClient } from './client.ts'
import type { TestConsole } from './console.ts'

/** Creates a session with these permissions in the store, for a user unknown to the identity provider. */
export async function signInStranger(
  server: TestConsole,
  permissions: Permission[] | null,
  organisation: string,
  isAdmin = false,
): Promise<ConsoleClient> {
  const { context } = server
  const subject = `stranger-${newUid()}`
  const profile = {
    subject,
    username: subject,
    fullname: 'Sid Stranger',
    email: 'stranger@example.com',
    avatar: null,
    isAdmin,
    permissions,
  }
  const userId = await saveProfile(context, 'tests', profile)
  const signInResult = { issuer: 'tests', claims: {}, idToken: 'id', accessToken: 'access', refreshToken: null }
  const { tokens } = await openSession(context, userId, profile, signInResult)
  const browser = new Browser(server.url)
  browser.cookies.set(cookieNames.session, { value: tokens.token, path: '/', flags: '' })
  browser.cookies.set(cookieNames.refresh, { value: tokens.refresh, path: ssoPath, flags: '' })
  return new ConsoleClient(browser, userId, organisation)
}
