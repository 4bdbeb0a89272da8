import type { TokenAnswer } from '@cadmus/model/contract/token'
import type { PersonalTokenRow } from '../../store/personal-token.ts'

/** Excludes the hash. */
export function tokenAnswer(row: PersonalTokenRow): TokenAnswer {
  return {
    id: row.id,
    name: row.name,
    access: row.access,
    isAdmin: row.is_admin === 1,
    createdAt: row.created_at,
    expiresAt: row.expires_at,
    lastUsedAt: row.last_used_at,
  }
}
