import * as z from 'zod'
import { limits } from '../limits.ts'
import { codeParams, organisationItem, organisationTag } from './admin-organisation.ts'
import { defineCall } from './call.ts'
import { entityListItem, manifestListItem } from './lists.ts'
import { base } from './routes.ts'
import { listAnswer, optionalIdText, pageQuery } from './shared.ts'

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

export const adminGetOrganisationSummary = defineCall({
  id: 'adminGetOrganisationSummary',
  method: 'GET',
  path: `${base}/admin/org/{code}/summary`,
  tag: organisationTag,
  access: 'console',
  summary:
    'Counts of the entities, manifests and packages of an organisation, now and at the end of each of the last days.',
  params: codeParams,
  query: z.object({
    days: z.coerce.number().int().min(1).max(limits.historyDays.max).default(limits.historyDays.default),
  }),
  answer: z.object({
    organisation: organisationItem,
    /** One entry per day, oldest first; the last is today's count. Shorter if the change log of the period exceeds the scan limit. */
    history: z.array(dayOfHistory),
  }),
})

export const adminListOrganisationEntities = defineCall({
  id: 'adminListOrganisationEntities',
  method: 'GET',
  path: `${base}/admin/org/{code}/entities`,
  tag: organisationTag,
  access: 'console',
  summary: "Lists an organisation's own entities, in manifests or not.",
  params: codeParams,
  query: pageQuery(),
  answer: listAnswer('entities', entityListItem),
})

export const adminListOrganisationManifests = defineCall({
  id: 'adminListOrganisationManifests',
  method: 'GET',
  path: `${base}/admin/org/{code}/manifests`,
  tag: organisationTag,
  access: 'console',
  summary: "Lists an organisation's own manifests, including sub-manifests.",
  params: codeParams,
  query: pageQuery().extend({ excludeManifest: optionalIdText }),
  answer: listAnswer('manifests', manifestListItem),
})

export const adminContentCalls = {
  adminGetOrganisationSummary,
  adminListOrganisationEntities,
  adminListOrganisationManifests,
}
