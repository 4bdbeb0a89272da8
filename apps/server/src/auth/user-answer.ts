import type { LicenceAnswer, UserAnswer } from '@cadmus/model/contract/sso'
import { parseLicence } from '@cadmus/model/licence'
import { foldName } from '@cadmus/model/paths'
import type { Context } from '../context.ts'
import { unauthenticated } from '../errors/api-error.ts'
import { hasServiceOptions } from '../config.ts'
import { organisationByCode, type OrganisationRow } from '../store/organisation.ts'
import { type SessionRow, userById } from '../store/user.ts'
import { permissionsOf } from './caller.ts'

export type SessionAnswer = {
  eccUser: UserAnswer
  organisation: { code: string; name: string; licence: LicenceAnswer; serviceOptions: boolean } | null
  memberDetails: { avatar: string | null; fullname: string; memberId: string }
  expiresAt: string
  demo: boolean
  onboarded: boolean
}

/**
 * Describes the session for the page. The organisation is the requested one if the user may work in it, else the only
 * one with a subscription; the licence limits are that organisation's.
 */
export async function describeSession(
  context: Context,
  session: SessionRow,
  organisationCode: string | undefined,
): Promise<SessionAnswer> {
  const user = await userById(context.store.shared, session.user_id)
  if (user === undefined) throw unauthenticated()
  const permissions = await permissionsOf(context, session)
  const subscribed = permissions.filter(({ ng }) => ng > 0)
  const requested = subscribed.find(({ oc }) => foldName(oc) === foldName(organisationCode ?? ''))
  const chosen = requested ?? (subscribed.length === 1 ? subscribed[0] : undefined)
  const organisation = chosen && (await organisationByCode(context.store.shared, chosen.oc))
  const { id: memberId, avatar, fullname } = user
  return {
    eccUser: {
      userId: user.id,
      username: user.username,
      fullname,
      email: user.email,
      avatar,
      memberId,
      organisationCode: organisation?.code ?? null,
      organisationName: organisation?.name ?? null,
      negroniPermission: String(chosen?.ng ?? 0),
      negroniLicenseLimits: organisation?.licence_limits ?? '',
      isAdmin: session.is_admin === 1,
      permissions,
    },
    organisation: organisation ? describeOrganisation(context, organisation) : null,
    memberDetails: { avatar, fullname, memberId },
    expiresAt: session.expires_at,
    demo: context.config.demo,
    onboarded: user.onboarded_at !== null,
  }
}

function describeOrganisation({ config }: Context, organisation: OrganisationRow) {
  const { code, name, licence_limits: limits } = organisation
  return { code, name, licence: licenceOf(limits), serviceOptions: hasServiceOptions(config, organisation) }
}

function licenceOf(limits: string): LicenceAnswer {
  const { manifestLimit, rest, graphql, databaseTypes } = parseLicence(limits)
  const limit = Number.isFinite(manifestLimit) ? manifestLimit : null
  return { manifestLimit: limit, rest, graphql, databaseTypes: [...databaseTypes] }
}
