import * as z from 'zod'
import { databaseTypes } from '../database-types.ts'
import { entityEditSchema } from '../edits/entity-edits.ts'
import { limits } from '../limits.ts'
import { compareConsequences } from './comparison.ts'
import { editList } from './edits.ts'
import { entityCall } from './lists.ts'
import { base } from './routes.ts'
import { idParams, referenceItem } from './shared.ts'

const { problems, schema, api, scopes } = compareConsequences.answer.shape
const manifestId = z.number().int()

const dependentItem = referenceItem.extend({
  kind: z
    .enum([...referenceItem.shape.kind.options, 'check', 'group'])
    .describe('A check or group is one of the entity or a subtype that has one of its attributes.'),
  manifests: z.array(manifestId).describe('That list the referring entity; of a configuration its own manifest.'),
})
export type DependentItem = z.output<typeof dependentItem>

const affectedManifest = z.object({
  id: manifestId,
  name: z.string(),
  path: z.string(),
  packages: z.array(z.string()).describe('Built from it: callers and records may exist.'),
  database: z.enum(databaseTypes).describe('That of its configuration.'),
  problems: problems.describe('Errors that the edits cause, and why something could not be worked out.'),
  schema: schema.omit({ statements: true }),
  api,
  scopes,
})
export type AffectedManifest = z.output<typeof affectedManifest>

export const getEntityImpact = entityCall({
  id: 'getEntityImpact',
  method: 'POST',
  reads: true,
  path: `${base}/entity/{id}/impact`,
  summary:
    'What depends on an entity, and what edits of its current state mean for tables, APIs and scopes of each manifest. Stores nothing.',
  params: idParams,
  body: z.strictObject({ edits: editList(entityEditSchema).default([]) }),
  answer: z.object({
    references: z
      .array(dependentItem)
      .describe(`At most ${limits.impact.references}. \`attribute\`: the attribute or foreign key referred to.`),
    totalReferences: z.number().int(),
    manifests: z
      .array(affectedManifest)
      .describe(
        `At most ${limits.impact.manifests} that contain the entity or one that refers to it; those with packages come first.`,
      ),
    moreManifests: z.number().int(),
    moreEntities: z.number().int().describe('Dependent entities left out of the consequences.'),
  }),
})
export type EntityImpact = z.output<typeof getEntityImpact.answer>
