import { messages } from '@cadmus/model/messages'
import { publishTexts } from '@cadmus/model/messages/publish'
import { useQuery, type UseQueryResult } from '@tanstack/react-query'
import { useState } from 'react'
import { type Instance, instancePackages } from '../../api/instance-calls.ts'
import { checkRebuild, previewRebuild, type Publication } from '../../api/publications.ts'
import { keys, scoped } from '../../api/query-client.ts'
import { readFailure } from '../../api/read-failure.ts'
import type { Credentials } from './blueprint.ts'
import { keyOf, type Read, versionOf } from './publish-again.ts'

// Read once for each opening: a preview sends the secrets of the package and is logged. The keys hold credentials.
const once = { staleTime: Infinity, gcTime: 0, retry: false, refetchOnWindowFocus: false, refetchOnReconnect: false }

/** The checks before publishing again. `publication`: undefined until it is known. */
export function usePublishChecks(publication: Publication | undefined) {
  const [entered, setEntered] = useState<{ key: string; credentials: Credentials } | null>(null)
  const key = publication === undefined ? '' : keyOf(publication)
  const instance = instanceFor(publication, entered?.key === key ? entered.credentials : null)
  const check = useQuery({
    ...scoped([...keys.manifests, 'rebuild', key, publication?.version], options =>
      checkRebuild(known(publication), options),
    ),
    ...once,
    enabled: publication !== undefined,
  })
  const running = useQuery({
    ...scoped(['instance', 'packages', 'rebuild', key, instance], async options => {
      const packages = await instancePackages(known(instance), options)
      return packages.find(({ name }) => name === publication?.packageName) ?? null
    }),
    ...once,
    enabled: instance !== null,
  })
  const version = versionOf(readOf(check), null)
  const data = useQuery({
    ...scoped(['instance', 'preview', key, publication?.version, version, instance], options =>
      previewRebuild(known(publication), { ...known(instance), version }, options),
    ),
    ...once,
    enabled: instance !== null && check.data?.errors === 0,
  })
  return {
    instance,
    signIn: publication?.signedIn === true && instance === null,
    enter: (credentials: Credentials) => setEntered({ key, credentials }),
    check: { ...readOf(check), failure: readFailure(check, publishTexts.checkUnread) },
    running: { ...readOf(running), failure: readFailure(running, messages.packages.failed.packages) },
    data: { ...readOf(data), failure: readFailure(data, publishTexts.data.unread) },
  }
}

export type PublishChecks = ReturnType<typeof usePublishChecks>

/** Null while credentials are missing. */
function instanceFor(publication: Publication | undefined, credentials: Credentials | null): Instance | null {
  if (publication === undefined) return null
  const { instanceUrl, signedIn } = publication
  if (!signedIn) return { instanceUrl }
  return credentials && { instanceUrl, credentials }
}

function readOf<T>({ data, error }: UseQueryResult<T>): Read<T> {
  return data === undefined ? { failed: error !== null } : { value: data, failed: false }
}

/** A query runs only once its subject is known. */
function known<T>(value: T | null | undefined): T {
  if (value === null || value === undefined) throw new Error('The query is not enabled yet.')
  return value
}
