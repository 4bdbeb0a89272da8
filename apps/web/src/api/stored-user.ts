import type { UserAnswer } from '@cadmus/model/contract/sso'
import { storage } from './storage.ts'

/** The signed-in user and their organisation, also remembered after a logout. */
type StoredUser = { userId: string; organisationCode: string | null; signedIn: boolean }

export function storeUser(user: UserAnswer): void {
  storage.writeJson('login', user)
}

export function storedUser(): StoredUser | null {
  const stored = storage.readJson('login')
  if (!isLogin(stored)) return null
  const { userId, organisationCode } = stored
  return { userId, organisationCode, signedIn: 'fullname' in stored }
}

/**
 * After a logout keeps only the ids that return the same user to the same organisation at the next sign-in; no name or
 * address.
 */
export function forgetProfile(): void {
  const stored = storedUser()
  if (stored === null) return
  const { userId, organisationCode } = stored
  storage.writeJson('login', { userId, organisationCode })
}

function isLogin(value: unknown): value is { userId: string; organisationCode: string | null } {
  return typeof value === 'object' && value !== null && 'userId' in value && 'organisationCode' in value
}
