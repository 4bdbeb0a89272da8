import { messages } from '@cadmus/model/messages'
import { useEffect, useEffectEvent, useState } from 'react'
import { ApiError, messageOf, whyFailed } from '../../../api/error.ts'
import { manifestQuery, validateManifest } from '../../../api/manifests.ts'
import { buildSettings } from '../../../api/packages.ts'
import { queryClient } from '../../../api/query-client.ts'
import { notify } from '../../../ui/notices.ts'
import type { BuildNode, BuildStart } from './build-flow.ts'

/** `problems`: all validation errors; the first one is the message. */
export type BuildStartStatus =
  | { step: 'validating' }
  | { step: 'refused'; message: string; problems: readonly string[] }
  | { step: 'ready'; start: BuildStart }

/** Validates the manifest and loads the data of a build. On failure it notifies and closes the dialog. */
export function useBuildStart({ id, name }: { id: number; name: string }, onClose: () => void): BuildStartStatus {
  const [status, setStatus] = useState<BuildStartStatus>({ step: 'validating' })
  const failed = useEffectEvent((error: unknown) => {
    if (error instanceof ApiError && error.status === 400)
      return setStatus({ step: 'refused', message: messageOf(error, messages.failed.validation), problems: [] })
    notify('error', messages.packages.failed.openBuild(whyFailed(error)))
    onClose()
  })
  useEffect(() => {
    const leaving = new AbortController()
    begin({ id, name }, leaving.signal)
      .then(setStatus)
      .catch((error: unknown) => {
        if (!leaving.signal.aborted) failed(error)
      })
    return () => leaving.abort()
  }, [id, name])
  return status
}

async function begin(manifest: { id: number; name: string }, signal: AbortSignal): Promise<BuildStartStatus> {
  const { message, problems } = await validateManifest(manifest.id, 'PACKAGE', signal)
  const errors = problems.filter(({ severity }) => severity === 'error')
  if (errors.length > 0) {
    const first = message === '' ? messages.failed.validation : message
    return { step: 'refused', message: first, problems: errors.map(one => one.message).slice(1) }
  }
  const [settings, nodes] = await Promise.all([buildSettings(manifest.id, { signal }), nodesBelow(manifest)])
  const { version, takenVersions, suggestion, manifestProperties: configurations } = settings
  return { step: 'ready', start: { nodes, configurations, version, takenVersions, suggestion } }
}

/** The manifest and all below it, parents first, each once. */
async function nodesBelow(root: { id: number; name: string }): Promise<BuildNode[]> {
  const met = new Set([root.id])
  const walk = async (node: BuildNode): Promise<BuildNode[]> => {
    const { manifest } = await queryClient.fetchQuery(manifestQuery(node.id))
    const below = manifest.subManifestPaths.flatMap(({ id, name }) => {
      if (met.has(id)) return []
      met.add(id)
      return [{ id, name, level: node.level + 1 }]
    })
    return [node, ...(await Promise.all(below.map(walk))).flat()]
  }
  return walk({ ...root, level: 1 })
}
