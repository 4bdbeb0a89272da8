import * as z from 'zod'
import { limits } from '../limits.ts'
import { codeParams, organisationCall, organisationItem } from './admin-organisation.ts'
import { callsFor } from './call.ts'
import { entityEnvelope, entityRequest, onReferencesToSchema } from './entity-shapes.ts'
import { entityListItem, entityTag, manifestListItem, manifestTag } from './lists.ts'
import { manifestEnvelope, manifestRequest } from './manifest-shapes.ts'
import { onReferencesQuery } from './references.ts'
import { base } from './routes.ts'
import { idParams, idSchema, listAnswer, optionalIdText, pageQuery, resultAnswer, saveIdQuery } from './shared.ts'

// Counts and lists for administrators. They read the contents of an organisation by the ordinary calls, with the header that names it.

/** Counts at the end of the day (UTC). */
const dayOfHistory = z.object({
  /** `YYYY-MM-DD`. */
  date: z.string(),
  entities: z.number().int(),
  manifests: z.number().int(),
  packages: z.number().int(),
})
export type DayOfHistory = z.output<typeof dayOfHistory>

const adminEntityCall = callsFor({ tag: entityTag, access: 'admin' })
const adminManifestCall = callsFor({ tag: manifestTag, access: 'admin' })

export const adminGetOrganisationSummary = organisationCall({
  id: 'adminGetOrganisationSummary',
  method: 'GET',
  path: `${base}/admin/org/{code}/summary`,
  summary:
    'Counts of the entities, manifests and packages of an organisation, now and at the end of each of the last days.',
  params: codeParams,
  query: z.object({
    days: z.coerce.number().int().min(1).max(limits.historyDays.max).default(limits.historyDays.default),
  }),
  answer: z.object({
    organisation: organisationItem,
    /** Whether changes of the library still have to be applied to entities: an update failed or is running. */
    libraryPending: z.boolean(),
    /** One entry per day, oldest first; the last is today's count. Shorter if the change log of the period exceeds the scan limit. */
    history: z.array(dayOfHistory),
  }),
})

export const adminListOrganisationEntities = organisationCall({
  id: 'adminListOrganisationEntities',
  method: 'GET',
  path: `${base}/admin/org/{code}/entities`,
  summary: "Lists an organisation's own entities, in manifests or not.",
  params: codeParams,
  query: pageQuery(),
  answer: listAnswer('entities', entityListItem),
})

export const adminListOrganisationManifests = organisationCall({
  id: 'adminListOrganisationManifests',
  method: 'GET',
  path: `${base}/admin/org/{code}/manifests`,
  summary: "Lists an organisation's own manifests, including sub-manifests.",
  params: codeParams,
  query: pageQuery().extend({ excludeManifest: optionalIdText }),
  answer: listAnswer('manifests', manifestListItem),
})

export const adminCreateEntity = adminEntityCall({
  id: 'adminCreateEntity',
  method: 'POST',
  path: `${base}/admin/entity`,
  concurrency: 'etag',
  summary: "Creates an entity in another organisation ('org' is its code).",
  body: z.strictObject({ ...entityRequest.shape, org: z.string().max(200) }),
  answer: entityEnvelope,
})

const contentBody = z.strictObject({ id: idSchema, content: z.string().max(limits.requestBody) })

export const adminValidateEntityContent = adminEntityCall({
  id: 'adminValidateEntityContent',
  method: 'POST',
  path: `${base}/admin/entity/content/validate`,
  reads: true,
  summary: 'Checks the JSON content of an entity without storing it.',
  body: contentBody,
  answer: resultAnswer,
})

export const adminUpdateEntityContent = adminEntityCall({
  id: 'adminUpdateEntityContent',
  method: 'PUT',
  path: `${base}/admin/entity/content`,
  concurrency: 'if-match',
  summary: 'Stores the JSON content of an entity.',
  query: onReferencesQuery.extend(saveIdQuery.shape),
  body: contentBody.extend({ onReferencesTo: onReferencesToSchema, version: entityRequest.shape.version }),
  answer: entityEnvelope,
})

export const adminReloadEntity = adminEntityCall({
  id: 'adminReloadEntity',
  method: 'PUT',
  path: `${base}/admin/reload/entity/{id}`,
  summary: 'Reloads a predefined entity from the library, with other changes in its folder.',
  params: idParams,
  answer: entityEnvelope,
})

export const adminCreateManifest = adminManifestCall({
  id: 'adminCreateManifest',
  method: 'POST',
  path: `${base}/admin/manifest`,
  concurrency: 'etag',
  summary: "Creates a manifest in another organisation ('org' is its code).",
  body: z.strictObject({ org: z.string().max(200), manifest: manifestRequest }),
  answer: manifestEnvelope,
})

export const adminReloadManifest = adminManifestCall({
  id: 'adminReloadManifest',
  method: 'PUT',
  path: `${base}/admin/reload/manifest/{id}`,
  summary: 'Reloads a predefined manifest from the library, with other changes in its folder.',
  params: idParams,
  answer: manifestEnvelope,
})
