import type { TokenAccess } from '@cadmus/model/contract/token'
import { limits } from '@cadmus/model/limits'
import { tokenTexts } from '@cadmus/model/messages/tokens'
import { foldName } from '@cadmus/model/paths'
import { tokenName } from '@cadmus/model/rules/organisation'
import { conflict, forbidden, invalid } from '../errors/api-error.ts'
import type { Tx } from '../store/database.ts'
import { listOrganisations } from '../store/organisation.ts'
import { insertToken, lockTokensOfUser, type PersonalTokenRow, tokensOfUser } from '../store/user.ts'
import { type Change, ownersOf } from './change.ts'

type TokenRequest = {
  name: string
  access: TokenAccess
  isAdmin: boolean
  /** ISO 8601. */
  expiresAt: string
  /** Hash of the secret, which is neither stored nor logged. */
  hash: string
}

const timeout = 15_000

/** Creates an access token of the user for the organisation. `now`: Unix milliseconds. */
export async function createToken(change: Change, request: TokenRequest, now: number): Promise<PersonalTokenRow> {
  const { store, organisationId, actor } = change
  const name = request.name.trim()
  const problem = tokenName(name)
  if (problem) throw invalid(problem, [{ path: 'name', message: problem }])
  if (request.isAdmin && !change.isAdmin) {
    throw forbidden('Only administrators can create a token with administrator rights.')
  }
  const row: PersonalTokenRow = {
    id: await store.ids.one(),
    token_hash: request.hash,
    user_id: actor.userId,
    organisation_id: organisationId,
    name,
    name_folded: foldName(name),
    access: request.access,
    is_admin: request.isAdmin ? 1 : 0,
    created_at: new Date(now).toISOString(),
    expires_at: expiryOf(request.expiresAt, now),
    last_used_at: null,
    revoked_at: null,
  }
  const make = async (tx: Tx) => {
    await lockTokensOfUser(tx, store, actor.userId)
    await checkOthers(tx, row)
    await insertToken(tx, row)
  }
  await store.writing.run(ownersOf(change), () => store.shared.transaction().execute(make), { timeout })
  return row
}

function expiryOf(text: string, now: number): string {
  const expiry = Date.parse(text)
  const refused = (message: string) => invalid(message, [{ path: 'expiresAt', message }])
  // An invalid time is never in the future.
  if (!(expiry > now)) throw refused(tokenTexts.expiryPast)
  if (expiry > now + limits.token.lifetime) throw refused(tokenTexts.expiryLate)
  return new Date(expiry).toISOString()
}

/** Expired tokens do not count, although they are listed. */
async function checkOthers(tx: Tx, row: PersonalTokenRow): Promise<void> {
  const living = (await tokensOfUser(tx, row.user_id)).filter(({ expires_at }) => expires_at > row.created_at)
  const sameName = living.find(({ name_folded }) => name_folded === row.name_folded)
  if (sameName) {
    const elsewhere = sameName.organisation_id !== row.organisation_id
    const organisations = elsewhere ? await listOrganisations(tx) : []
    const code = organisations.find(({ id }) => id === sameName.organisation_id)?.code ?? null
    throw conflict(tokenTexts.exists(row.name, code))
  }
  const here = living.filter(({ organisation_id }) => organisation_id === row.organisation_id).length
  if (here >= limits.token.maxCount) throw conflict(tokenTexts.limitReached(here))
}
