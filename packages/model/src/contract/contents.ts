import * as z from 'zod'
import { limits } from '../limits.ts'
import { entityAnswer } from './entity-shapes.ts'
import { manifestCall } from './lists.ts'
import { base } from './routes.ts'
import { idParams, idSchema } from './shared.ts'

const { entities: mostKnown, answer: answerLength } = limits.readContents

const entityState = entityAnswer
  .pick({ id: true, path: true, isDefault: true, targetManifest: true, versions: true, latestVersion: true })
  .extend({
    tag: z.string().describe('Identifies all that is answered of the entity.'),
    etag: z.string().describe('As in the answer of the entity; the base of its next save.'),
    content: entityAnswer.shape.content,
    resolvedAttributes: entityAnswer.shape.resolvedAttributes.describe('Of a subtype.'),
  })
export type EntityStateAnswer = z.output<typeof entityState>

export const readEntityContents = manifestCall({
  id: 'readEntityContents',
  method: 'POST',
  reads: true,
  path: `${base}/manifest/{id}/contents`,
  summary:
    "The current state of a manifest's own entities, as far as the caller does not have it. Long answers come in parts: call again with what was received.",
  params: idParams,
  body: z.strictObject({
    known: z
      .array(z.strictObject({ id: idSchema, tag: z.string().max(60) }))
      .max(mostKnown)
      .default([])
      .describe('States that the caller has.'),
  }),
  answer: z.object({
    ids: z.array(z.number().int()).describe('All entities of the manifest, in its order.'),
    entities: z
      .array(entityState)
      .describe(`Those in another state than known, up to ${answerLength} characters and one more.`),
    more: z.boolean().describe('Whether further ones are in another state.'),
  }),
})
export type EntityContentsAnswer = z.output<typeof readEntityContents.answer>
