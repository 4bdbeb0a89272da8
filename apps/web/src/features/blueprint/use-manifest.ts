import { blueprintTexts } from '@cadmus/model/messages/blueprint'
import { messages } from '@cadmus/model/messages'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { messageOf } from '../../api/error.ts'
import { validateManifest } from '../../api/manifests.ts'
import { buildSettings } from '../../api/packages.ts'
import { keys, scoped } from '../../api/query-client.ts'
import { readFailure } from '../../api/read-failure.ts'
import type { ReadFailure } from '../../ui/Field.tsx'
import type { Blueprint } from './blueprint.ts'
import type { BlueprintEvent } from './blueprint-flow.ts'

type Dispatch = (event: BlueprintEvent) => void

function settingsQuery(id: number) {
  return scoped(
    [...keys.manifests, 'build', id],
    async options => (await buildSettings(id, options)).manifestProperties,
  )
}

export function useSettings({ manifest }: Blueprint, dispatch: Dispatch): void {
  const { data } = useQuery({ ...settingsQuery(manifest?.id ?? -1), enabled: manifest !== null })
  useEffect(() => {
    if (data) dispatch({ type: 'settings', settings: data })
  }, [data, dispatch])
}

export function useSettingsFailure({ manifest }: Blueprint): ReadFailure | null {
  const query = useQuery({ ...settingsQuery(manifest?.id ?? -1), enabled: manifest !== null })
  return readFailure(query, blueprintTexts.configurationUnread)
}

export async function validate({ manifest }: Blueprint, dispatch: Dispatch, signal: AbortSignal): Promise<void> {
  if (manifest === null) return
  try {
    const { message, problems } = await validateManifest(manifest.id, 'PACKAGE', { signal })
    const isValid = problems.every(({ severity }) => severity !== 'error')
    dispatch(isValid ? { type: 'validated' } : { type: 'refused', message: message || messages.failed.validation })
  } catch (error) {
    if (!signal.aborted) dispatch({ type: 'refused', message: messageOf(error, messages.failed.validation) })
  }
}
