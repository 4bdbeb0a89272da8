import * as z from 'zod'
import { defineCall } from './call.ts'
import { manifestTag } from './lists.ts'
import { manifestEnvelope, manifestRequest } from './manifest-shapes.ts'
import { base } from './routes.ts'
import { idParams } from './shared.ts'

export const adminCreateManifest = defineCall({
  id: 'adminCreateManifest',
  method: 'POST',
  path: `${base}/admin/manifest`,
  tag: manifestTag,
  access: 'admin',
  concurrency: 'etag',
  summary: "Creates a manifest in another organisation ('org' is its code).",
  body: z.strictObject({ org: z.string().max(200), manifest: manifestRequest }),
  answer: manifestEnvelope,
})

export const adminReloadManifest = defineCall({
  id: 'adminReloadManifest',
  method: 'PUT',
  path: `${base}/admin/reload/manifest/{id}`,
  tag: manifestTag,
  access: 'admin',
  summary: 'Reloads a predefined manifest from the library, with other changes in its folder.',
  params: idParams,
  answer: manifestEnvelope,
})

export const adminManifestCalls = { adminCreateManifest, adminReloadManifest }
