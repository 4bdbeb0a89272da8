import * as z from 'zod'
import { limits } from '../limits.ts'
import { defineCall } from './call.ts'
import { entityEnvelope, entityRequest, onReferencesToSchema } from './entity-shapes.ts'
import { entityTag } from './lists.ts'
import { onReferencesQuery } from './references.ts'
import { base } from './routes.ts'
import { idParams, idSchema, resultAnswer, saveIdQuery } from './shared.ts'

export const adminCreateEntity = defineCall({
  id: 'adminCreateEntity',
  method: 'POST',
  path: `${base}/admin/entity`,
  tag: entityTag,
  access: 'admin',
  concurrency: 'etag',
  summary: "Creates an entity in another organisation ('org' is its code).",
  body: z.strictObject({ ...entityRequest.shape, org: z.string().max(200) }),
  answer: entityEnvelope,
})

const contentBody = z.strictObject({ id: idSchema, content: z.string().max(limits.requestBody) })

export const adminValidateEntityContent = defineCall({
  id: 'adminValidateEntityContent',
  method: 'POST',
  path: `${base}/admin/entity/content/validate`,
  tag: entityTag,
  access: 'admin',
  reads: true,
  summary: 'Checks the JSON content of an entity without storing it.',
  body: contentBody,
  answer: resultAnswer,
})

export const adminUpdateEntityContent = defineCall({
  id: 'adminUpdateEntityContent',
  method: 'PUT',
  path: `${base}/admin/entity/content`,
  tag: entityTag,
  access: 'admin',
  concurrency: 'if-match',
  summary: 'Stores the JSON content of an entity.',
  query: onReferencesQuery.extend(saveIdQuery.shape),
  body: contentBody.extend({ onReferencesTo: onReferencesToSchema, version: entityRequest.shape.version }),
  answer: entityEnvelope,
})

export const adminReloadEntity = defineCall({
  id: 'adminReloadEntity',
  method: 'PUT',
  path: `${base}/admin/reload/entity/{id}`,
  tag: entityTag,
  access: 'admin',
  summary: 'Reloads a predefined entity from the library, with other changes in its folder.',
  params: idParams,
  answer: entityEnvelope,
})

export const adminEntityCalls = {
  adminCreateEntity,
  adminValidateEntityContent,
  adminUpdateEntityContent,
  adminReloadEntity,
}
