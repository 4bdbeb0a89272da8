import * as z from 'zod'
import { auditEntrySchema } from '../audit-differences.ts'
import { databaseTypes } from '../database-types.ts'
import { limits } from '../limits.ts'
import { messages } from '../messages.ts'
import { organisationCode, organisationName } from '../rules/organisation.ts'
import { callsFor } from './call.ts'
import { logQuery } from './audit.ts'
import { asAnswered, derived, oneField } from './request-fields.ts'
import { base } from './routes.ts'
import { listAnswer, pageQuery, resultAnswer } from './shared.ts'

export const organisationCall = callsFor({ tag: 'Organisations', access: 'console' })

/** Counts only objects that the organisation owns. */
export const organisationItem = z.object({
  id: z.number().int(),
  code: z.string(),
  name: z.string(),
  totalEntities: z.number().int(),
  totalManifests: z.number().int(),
  totalPackages: z.number().int(),
})
export type OrganisationItem = z.output<typeof organisationItem>

const licenceFields = {
  /** Null: no limit. */
  manifestLimit: z.number().int().min(0).nullable(),
  rest: z.boolean(),
  graphql: z.boolean(),
  /** The first is the default. */
  databaseTypes: z.array(z.enum(databaseTypes)),
}

const organisationAnswer = organisationItem.extend({
  /** Permanent. Instances identify the owner of a package or connection by it. */
  uid: z.string(),
  /** The stored text; it may hold parts that `licence` does not list. */
  licenceLimits: z.string(),
  licence: z.object(licenceFields),
  /** Whether its manifests may have service options; only one organisation's may. */
  serviceOptions: z.boolean(),
  /** Users who belong to it, and how many of them have a subscription. */
  totalMembers: z.number().int(),
  totalSubscriptions: z.number().int(),
  /** Whether the identity provider sets the name; the next sign-in then restores it. */
  namedByProvider: z.boolean(),
})
export type OrganisationAnswer = z.output<typeof organisationAnswer>
const organisationEnvelope = z.object({ organisation: organisationAnswer })

/** A text field validated by a rule, with the rule's message. */
const judged = (rule: (value: string) => string | undefined) =>
  z
    .string()
    .max(1000)
    .superRefine((value, context) => {
      const problem = rule(value)
      if (problem !== undefined) context.addIssue({ code: 'custom', message: problem })
    })

/** Absent fields are unchanged. */
const licenceBody = z
  .strictObject({
    ...licenceFields,
    manifestLimit: licenceFields.manifestLimit.unwrap().max(limits.licensedManifests).nullable(),
    databaseTypes: licenceFields.databaseTypes
      .min(1, messages.administration.noDatabase)
      .refine(types => new Set(types).size === types.length, messages.administration.databaseTwice),
  })
  .partial()

const organisationFields = {
  name: judged(organisationName).optional().describe('Absent: unchanged.'),
  licence: licenceBody.optional().describe('Absent: unchanged; likewise each of its fields.'),
}

export const organisationAsAnswered = {
  id: asAnswered,
  uid: asAnswered,
  code: asAnswered,
  totalEntities: derived(organisationAnswer.shape.totalEntities),
  totalManifests: derived(organisationAnswer.shape.totalManifests),
  totalPackages: derived(organisationAnswer.shape.totalPackages),
  licenceLimits: derived(organisationAnswer.shape.licenceLimits),
  serviceOptions: derived(organisationAnswer.shape.serviceOptions),
  totalMembers: derived(organisationAnswer.shape.totalMembers),
  totalSubscriptions: derived(organisationAnswer.shape.totalSubscriptions),
  namedByProvider: derived(organisationAnswer.shape.namedByProvider),
}

/** Accepts the fields alone, or inside the organisation as returned by GET. */
const organisationUpdate = z
  .strictObject({
    ...organisationFields,
    organisation: z.strictObject({ ...organisationFields, ...organisationAsAnswered }).prefault({}),
  })
  .transform(({ organisation, ...fields }, context) => ({
    organisation,
    name: oneField(context, { name: fields.name, 'organisation.name': organisation.name }),
    licence: oneField(context, { licence: fields.licence, 'organisation.licence': organisation.licence }),
  }))

/** Lists of users have no cursor: their ids are not numbers. */
const pagesQuery = pageQuery().omit({ after: true })
export const codeParams = z.object({ code: z.string().max(200) })
const memberParams = codeParams.extend({ userId: z.string().max(200) })

const userFields = z.object({ userId: z.string(), username: z.string(), fullname: z.string(), email: z.string() })

const memberItem = userFields.extend({
  subscription: z.number().int(),
  /** Origin: the provider at the user's last sign-in, or an administrator of this console. */
  source: z.enum(['provider', 'console']),
  /** False for a stored membership of a user whose organisations the provider sets. */
  inEffect: z.boolean(),
  /** The If-Match of a change. */
  etag: z.string(),
})
export type MemberItem = z.output<typeof memberItem>

const userItem = userFields.extend({
  /** Whether the provider or an administrator sets the user's organisations. */
  source: z.enum(['provider', 'console']),
})
export type UserItem = z.output<typeof userItem>

const ofUser =
  'Read-only: 400 if it differs from the user data of the If-Match. Ignored if these have changed, and with `*`.'

export const memberAsAnswered = {
  userId: asAnswered,
  username: derived(memberItem.shape.username).describe(ofUser),
  fullname: derived(memberItem.shape.fullname).describe(ofUser),
  email: derived(memberItem.shape.email).describe(ofUser),
  source: derived(memberItem.shape.source).describe(ofUser),
  inEffect: derived(memberItem.shape.inEffect).describe(ofUser),
  etag: derived(memberItem.shape.etag),
}

export const adminListOrganisations = organisationCall({
  id: 'adminListOrganisations',
  method: 'GET',
  path: `${base}/admin/org`,
  summary: 'Lists organisations by name; the search covers name and code.',
  query: pageQuery(),
  answer: listAnswer('organisations', organisationItem),
})

export const adminCreateOrganisation = organisationCall({
  id: 'adminCreateOrganisation',
  method: 'POST',
  path: `${base}/admin/org`,
  concurrency: 'etag',
  summary: 'Creates an organisation with the usual licence and no members.',
  body: z.strictObject({ code: judged(organisationCode), name: judged(organisationName) }),
  answer: organisationEnvelope,
})

export const adminGetOrganisation = organisationCall({
  id: 'adminGetOrganisation',
  method: 'GET',
  path: `${base}/admin/org/{code}`,
  concurrency: 'etag',
  summary: 'An organisation with its licence limits.',
  params: codeParams,
  answer: organisationEnvelope,
})

export const adminUpdateOrganisation = organisationCall({
  id: 'adminUpdateOrganisation',
  method: 'PUT',
  path: `${base}/admin/org/{code}`,
  concurrency: 'if-match',
  summary:
    'Renames an organisation, changes its licence limits, or both. Absent fields are unchanged; sending back a GET answer changes nothing.',
  params: codeParams,
  body: organisationUpdate,
  answer: organisationEnvelope,
})

export const adminListMembers = organisationCall({
  id: 'adminListMembers',
  method: 'GET',
  path: `${base}/admin/org/{code}/members`,
  summary:
    'Lists the members of an organisation with their subscriptions; the search covers name, user name and e-mail.',
  params: codeParams,
  query: pagesQuery,
  answer: listAnswer('members', memberItem),
})

export const adminSetMember = organisationCall({
  id: 'adminSetMember',
  method: 'PUT',
  path: `${base}/admin/org/{code}/members/{userId}`,
  concurrency: 'if-match',
  summary:
    "Adds a member, or changes the subscription (0 = none). If-Match: the member's etag, `none` for a new one. Sending back a member as listed changes nothing.",
  params: memberParams,
  body: z.strictObject({
    subscription: z
      .number()
      .int()
      .min(0)
      .max(limits.subscription)
      .optional()
      .describe('Absent: unchanged. Required for a new member.'),
    ...memberAsAnswered,
  }),
  answer: z.object({ member: memberItem }),
})

export const adminRemoveMember = organisationCall({
  id: 'adminRemoveMember',
  method: 'DELETE',
  path: `${base}/admin/org/{code}/members/{userId}`,
  concurrency: 'if-match',
  summary: 'Removes the stored membership of a user.',
  params: memberParams,
  answer: resultAnswer,
})

export const adminListOrganisationLogs = organisationCall({
  id: 'adminListOrganisationLogs',
  method: 'GET',
  path: `${base}/admin/org/{code}/logs`,
  summary: 'Lists audit entries of an organisation itself: its name, licence limits and members.',
  params: codeParams,
  query: logQuery,
  answer: z.object({ organisationLogs: z.array(auditEntrySchema), totalElements: z.number().int() }),
})

export const adminListUsers = organisationCall({
  id: 'adminListUsers',
  method: 'GET',
  path: `${base}/admin/user`,
  summary: 'Lists users who have signed in to this console, by name.',
  query: pagesQuery.extend({
    /** Excludes the stored members of this organisation. */
    notIn: z.string().max(200).optional(),
  }),
  answer: listAnswer('users', userItem),
})
