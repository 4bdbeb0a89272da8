import * as z from 'zod'
import { limits } from '../limits.ts'
import { codeParams, organisationItem, organisationTag } from './admin-organisation.ts'
import { defineCall } from './call.ts'
import { entityListItem, manifestListItem } from './lists.ts'
import { base } from './routes.ts'
import { listAnswer, optionalIdText, pageQuery } from './shared.ts'

// What an organisation has of its own, for administrators; what is in it they read by the ordinary calls, with the header that names it.

/** How many there were at the end of the day, by UTC. */
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
    'How many entities, manifests and packages an organisation has of its own, and had at the end of each of the last days.',
  params: codeParams,
  query: z.object({
    days: z.coerce.number().int().min(1).max(limits.historyDays.max).default(limits.historyDays.default),
  }),
  answer: z.object({
    organisation: organisationItem,
    /** The oldest day first, each of them once, up to today: what is there now. Fewer days where more was done in them than is looked through. */
    history: z.array(dayOfHistory),
  }),
})

export const adminListOrganisationEntities = defineCall({
  id: 'adminListOrganisationEntities',
  method: 'GET',
  path: `${base}/admin/org/{code}/entities`,
  tag: organisationTag,
  access: 'console',
  summary: "An organisation's own entities, in manifests or in none.",
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
  summary: "An organisation's own manifests, sub-manifests among them.",
  params: codeParams,
  query: pageQuery().extend({ excludeManifest: optionalIdText }),
  answer: listAnswer('manifests', manifestListItem),
})

export const adminContentCalls = {
  adminGetOrganisationSummary,
  adminListOrganisationEntities,
  adminListOrganisationManifests,
}
