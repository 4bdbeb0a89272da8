import type { UserAnswer } from '@cadmus/model/contract/sso'
import { storage } from './storage.ts'

/** Who is signed in in this browser and where they work, and who was after a logout. */
type StoredUser = { userId: string; organisationCode: string | null; signedIn: boolean }

/** All of the profile, and never a token. */
export function storeUser(user: UserAnswer): void {
  storage.writeJson('login', user)
}

export function storedUser(): StoredUser | null {
  const stored = storage.readJson('login')
  if (!isLogin(stored)) return null
  const { userId, organisationCode } = stored
  return { userId, organisationCode, signedIn: 'fullname' in stored }
}

/** After a logout: no name and no address stay, only what the next sign-in needs to lead the same person to the same organisation. */
export function forgetProfile(): void {
  const stored = storedUser()
  if (stored === null) return
  const { userId, organisationCode } = stored
  storage.writeJson('login', { userId, organisationCode })
}

function isLogin(value: unknown): value is { userId: string; organisationCode: string | null } {
  return typeof value === 'object' && value !== null && 'userId' in value && 'organisationCode' in value
}
