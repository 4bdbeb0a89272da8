import * as z from 'zod'
import { things } from '../import-things.ts'
import { reviewLimits } from '../import-review-limits.ts'
import { manifestCall } from './lists.ts'
import { importAnswer, importManifest } from './manifest-transfer.ts'
import { base } from './routes.ts'
import { idSchema, idText, importReportLine, multipartBody, resultAnswer, userIdQuery } from './shared.ts'

const count = z.number().int().nonnegative()
const keyParams = z.object({ key: z.uuid() })
const named = z.object({ id: idSchema, name: z.string() })

const entityCounts = {
  attributes: count,
  relationships: count,
  keys: count,
  uniques: count,
  indexes: count.describe('Beside those of relationships.'),
}

export const reviewedEntity = z.object({
  index: count.describe('Its number in the file, from 0.'),
  name: z.string(),
  manifest: count.describe('Index in `manifests` of the one that it would belong to.'),
  ...entityCounts,
  problems: count,
  lost: count,
  changed: count,
  notes: count,
})
export type ReviewedEntity = z.output<typeof reviewedEntity>

export const importReview = z.object({
  key: z.string(),
  name: z.string().describe('Of the root manifest.'),
  files: count,
  entities: count,
  manifests: z.array(
    z.object({
      name: z.string(),
      parent: count.nullable().describe('Index of the manifest whose sub-manifest it is.'),
      ...entityCounts,
      entities: count,
    }),
  ),
  things: z
    .array(z.object({ thing: z.enum(things), read: count, imported: count, listed: count }))
    .describe('What the file declares: each is imported or listed in the findings.'),
  facts: z.array(z.string()).describe('About the whole import.'),
  findings: z.object({ problems: count, lost: count, changed: count, notes: count }),
  ownFindings: count.describe('Findings that are about no single entity.'),
})
export type ImportReview = z.output<typeof importReview>

export const reviewImport = manifestCall({
  id: 'reviewImport',
  method: 'POST',
  path: `${base}/manifest/import/review`,
  summary: `Reads a file as \`importManifest\` does and stores nothing of it as a manifest. Answers what was read and what would become of it. The file is held for its caller for an hour, at most ${reviewLimits.ofUser} of them; \`key\` identifies it, and its progress and cancellation while it is read.`,
  query: importManifest.query,
  body: multipartBody,
  files: importManifest.files,
  answer: resultAnswer.extend({ review: importReview }),
})

const pageQuery = {
  offset: z.coerce.number().int().nonnegative().default(0),
  limit: z.coerce.number().int().min(1).max(reviewLimits.page).default(reviewLimits.page),
}

export const listReviewedEntities = manifestCall({
  id: 'listReviewedEntities',
  method: 'GET',
  path: `${base}/manifest/import/review/{key}/entities`,
  summary: 'The entities of a reviewed import, with what was read of each and the number of findings about it.',
  params: keyParams,
  query: userIdQuery.extend(pageQuery),
  answer: z.object({ entities: z.array(reviewedEntity), total: count }),
})

export const listReviewFindings = manifestCall({
  id: 'listReviewFindings',
  method: 'GET',
  path: `${base}/manifest/import/review/{key}/findings`,
  summary: 'The findings about an entity of a reviewed import; without `entity` those about no single one.',
  params: keyParams,
  query: userIdQuery.extend({ entity: z.coerce.number().int().nonnegative().optional(), ...pageQuery }),
  answer: z.object({ findings: z.array(importReportLine), total: count }),
})

/** More are left out by choosing what is imported, in a smaller file. */
const maxLeftOut = 100_000

const leftOutNumbers = z
  .array(idSchema.or(z.literal(0)))
  .max(maxLeftOut)
  .default([])

export const checkReviewed = manifestCall({
  id: 'checkReviewed',
  method: 'POST',
  path: `${base}/manifest/import/review/{key}/check`,
  summary:
    'What schema exports would refuse of a reviewed import without the entities that are left out, found by the validation that exports use: the first problems and their number. `manifestId`: the manifest that it goes into, whose entities are there even if those of the file are left out.',
  params: keyParams,
  query: userIdQuery,
  body: z.strictObject({ leftOut: leftOutNumbers, manifestId: idSchema.optional() }),
  answer: z.object({ problems: z.array(importReportLine), total: count }),
})

export const importReviewed = manifestCall({
  id: 'importReviewed',
  method: 'POST',
  path: `${base}/manifest/import/review/{key}`,
  summary:
    'Imports a reviewed file into a new manifest, as `importManifest` does. `leftOut`: numbers of entities that are not imported; relationships to them wait for their targets. The review ends with success.',
  params: keyParams,
  query: userIdQuery,
  body: z.strictObject({
    key: z.uuid().optional().describe('Identifies this import for its progress and report.'),
    leftOut: leftOutNumbers,
  }),
  answer: importAnswer,
})

export const existingChoices = ['merge', 'replace', 'beside', 'skip'] as const
export type ExistingChoice = (typeof existingChoices)[number]
const existingChoice = z
  .enum(existingChoices)
  .describe(
    'merge: what the file says changes it, what only it has stays; replace: it becomes what the file says; beside: the one of the file gets a free name; skip: it stays.',
  )

export const existingEntity = z.object({
  entity: count.describe('The number in the file.'),
  id: idSchema,
  name: z.string(),
  tag: z.string().describe('Of its state.'),
  by: z.enum(['uid', 'name']),
})
export type ExistingEntity = z.output<typeof existingEntity>

export const listExistingEntities = manifestCall({
  id: 'listExistingEntities',
  method: 'GET',
  path: `${base}/manifest/import/review/{key}/existing`,
  summary:
    'The entities of a manifest and its sub-manifests that those of a reviewed import are, by uid or else by name, and what the file adds to its enumerations.',
  params: keyParams,
  query: userIdQuery.extend({ manifestId: idText }),
  answer: z.object({
    existing: z.array(existingEntity),
    findings: z
      .array(importReportLine)
      .describe('The enumerations that the manifest gets, and the values that those it has get.'),
  }),
})

export const importReviewedInto = manifestCall({
  id: 'importReviewedInto',
  method: 'POST',
  path: `${base}/manifest/import/review/{key}/manifest/{id}`,
  summary: `Imports a reviewed file into an existing manifest, all or nothing: new entities are added, existing ones changed by edits. At most ${reviewLimits.into} entities. \`existing\`: what becomes of those that exist, \`exceptions\` for single ones. \`known\`: their states as listed; 409 if others exist, or if one has been changed in the same place since. The review ends with success.`,
  params: keyParams.extend({ id: idText }),
  query: userIdQuery,
  body: z.strictObject({
    key: z.uuid().optional().describe('Identifies this import for its progress.'),
    leftOut: leftOutNumbers,
    existing: existingChoice.default('merge'),
    exceptions: z
      .array(z.strictObject({ entity: idSchema.or(z.literal(0)), existing: existingChoice }))
      .max(reviewLimits.into)
      .default([]),
    known: z.array(z.strictObject({ id: idSchema, tag: z.string().max(100) })).max(reviewLimits.into),
  }),
  answer: resultAnswer.extend({
    manifest: named,
    created: z.array(named),
    changed: z.array(named),
    unchanged: count,
    skipped: count,
    enumerations: z.array(z.string()).describe('Names of those that are new in the manifest or got values.'),
    report: z.array(importReportLine),
    reportLines: count,
  }),
})

export const discardReview = manifestCall({
  id: 'discardReview',
  method: 'DELETE',
  path: `${base}/manifest/import/review/{key}`,
  summary: 'Ends a review without an import.',
  params: keyParams,
  answer: resultAnswer,
})
