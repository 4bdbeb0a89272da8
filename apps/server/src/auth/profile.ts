import type { Permission } from '@cadmus/model/contract/sso'
import { defaultLicence } from '@cadmus/model/licence'
import { defaults, limits } from '@cadmus/model/limits'
import { messages } from '@cadmus/model/messages'
import { createHash } from 'node:crypto'
import { isoTime } from '../clock.ts'
import type { Context } from '../context.ts'
import { ApiError } from '../errors/api-error.ts'
import { setProviderMemberships } from '../store/membership.ts'
import { organisationByCode, upsertOrganisation } from '../store/organisation.ts'
import { upsertUser } from '../store/user.ts'
import { demoOrganisations, demoUsers } from './development/demo-users.ts'
import { permissionsSchema } from './caller.ts'

/** A user as described by the provider's claims. */
export type Profile = {
  subject: string
  username: string
  fullname: string
  email: string
  avatar: string | null
  isAdmin: boolean
  /** Null if the provider sends no organisations; the locally stored memberships apply then. */
  permissions: Permission[] | null
}

const adminGroup = 'cadmus-admins'
const permissionsClaim = 'cadmus_permissions'

export function profileOf(context: Context, claims: Record<string, unknown>): Profile {
  const subject = text(claims['sub'])
  if (subject === '')
    throw new ApiError(400, 'invalid_request', messages.session.invalidRequest, { detail: 'no sub claim' })
  const email = text(claims['email'])
  const username = text(claims['preferred_username']) || email || subject
  return {
    subject,
    username,
    fullname: text(claims['name']) || username,
    email,
    avatar: pictureIn(claims['picture']),
    isAdmin: isAdmin(claims, context.config.adminClaim),
    permissions: permissionsIn(context, claims[permissionsClaim]),
  }
}

/** Updates the user and the named organisations; returns the user's id. */
export async function saveProfile(context: Context, issuer: string, profile: Profile): Promise<string> {
  const { subject, username, fullname, email, avatar, isAdmin: admin } = profile
  // Derived from the subject, so that all servers compute the same id.
  const id = createHash('sha256')
    .update(JSON.stringify([issuer, subject]))
    .digest('base64url')
    .slice(0, 22)
  await upsertUser(context.store.shared, {
    id,
    subject,
    issuer,
    username,
    fullname,
    email,
    avatar,
    is_admin: admin ? 1 : 0,
    permissions: profile.permissions === null ? null : JSON.stringify(profile.permissions),
    onboarded_at: isOnboarded(context, subject) ? isoTime(context, 0) : null,
  })
  const organisations = await upsertOrganisations(context, profile.permissions ?? [])
  const memberships = profile.permissions?.flatMap(({ oc, ng }): [number, number][] => {
    const organisation = organisations.get(oc)
    return organisation === undefined ? [] : [[organisation, ng]]
  })
  await setProviderMemberships(context.store.shared, id, new Map(memberships))
  return id
}

function isOnboarded({ provider }: Context, subject: string): boolean {
  return provider !== null && demoUsers.some(user => user.subject === subject && user.onboarded)
}

/**
 * Creates the initial organisations of a console, with the development provider also the organisations of its users.
 */
export async function createFirstOrganisations(context: Context): Promise<void> {
  const first = context.provider === null ? [{ oc: defaults.organisationCode, on: 'Cadmus' }] : demoOrganisations
  await upsertOrganisations(context, first)
}

/** Returns the ids by code. */
async function upsertOrganisations(
  context: Context,
  named: readonly Pick<Permission, 'oc' | 'on'>[],
): Promise<Map<string, number>> {
  const { shared, ids } = context.store
  const result = new Map<string, number>()
  for (const { oc, on } of named) {
    const existing = await organisationByCode(shared, oc)
    if (existing !== undefined) result.set(oc, existing.id)
    if (existing !== undefined && existing.name === on) continue
    const id = existing?.id ?? (await ids.one())
    const row = await upsertOrganisation(shared, { id, code: oc, name: on, licenceLimits: defaultLicence })
    result.set(oc, row.id)
  }
  return result
}

function isAdmin(claims: Record<string, unknown>, adminClaim: string): boolean {
  const claim = claims[adminClaim]
  const { groups } = claims
  return claim === true || claim === 'true' || (Array.isArray(groups) && groups.includes(adminGroup))
}

/** An unreadable list grants no permission, rather than too much. */
function permissionsIn(context: Context, claim: unknown): Permission[] | null {
  if (claim === undefined || claim === null) return null
  const read = permissionsSchema.safeParse(claim)
  if (read.success) return read.data
  context.log.warn(
    { claim: permissionsClaim },
    'invalid permissions claim from the identity provider, no permissions granted',
  )
  return []
}

/** Returns a valid picture URL. Overlong URLs are dropped, because truncating would change them. */
function pictureIn(claim: unknown): string | null {
  if (typeof claim !== 'string' || claim.length > limits.pictureAddress || !URL.canParse(claim)) return null
  const { protocol, href } = new URL(claim)
  return protocol === 'https:' || protocol === 'http:' ? href : null
}

function text(claim: unknown): string {
  return typeof claim === 'string' ? claim.slice(0, 400) : ''
}
