import type { Migration } from '@cadmus/model/contract/comparison'
import { migrationTexts } from '@cadmus/model/messages/migration'
import { useQuery } from '@tanstack/react-query'
import { ListChecks } from 'lucide-react'
import { useId, useState } from 'react'
import type { ComparedSides } from '../api/comparison.ts'
import type { Instance } from '../api/instance-calls.ts'
import { countRecords, type Publication } from '../api/publications.ts'
import { scoped } from '../api/query-client.ts'
import { readFailure } from '../api/read-failure.ts'
import { SignIn } from '../commands/InstanceSignIn.tsx'
import { usePublications } from '../commands/published.ts'
import { Button } from '../ui/Button.tsx'
import type { ReadFailure } from '../ui/Field.tsx'
import { Select } from '../ui/Select.tsx'
import { UnreadAlert } from '../ui/UnreadAlert.tsx'
import styles from './Consequences.module.css'

const texts = migrationTexts.counts

/** `number`: stands for the credentials in keys. */
type Request = { number: number; migration: Migration; instance: Instance }

export type RecordCounting = {
  /** Instances that got the state before last. */
  publications: readonly Publication[]
  publication: Publication | undefined
  choose: (instanceUrl: string) => void
  count: (credentials?: Instance['credentials']) => void
  isCounting: boolean
  failure: ReadFailure | null
  /** By the keys of steps; null while they are not known. */
  counts: ReadonlyMap<string, number> | null
}

/**
 * Counts on request the records that a migration to the current state would lose or be prevented by, on an instance that runs the state
 * before. Leaving cancels it. `migration`: undefined without one from there.
 */
export function useRecordCounts(sides: ComparedSides, migration: Migration | undefined): RecordCounting {
  const publications = publicationsOf(sides, usePublications() ?? [])
  const [chosen, setChosen] = useState<string | null>(null)
  const [request, setRequest] = useState<Request | null>(null)
  const publication = publications.find(one => one.instanceUrl === chosen) ?? publications[0]
  const isCurrent =
    request !== null && request.migration === migration && request.instance.instanceUrl === publication?.instanceUrl
  const query = useQuery({
    ...scoped(['instance', 'counts', request?.number], options => {
      if (publication === undefined || request === null) throw new Error('The query is not enabled yet.')
      return countRecords(publication, request.instance, options)
    }),
    // Each count sends the secrets of the package and is logged.
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
    enabled: isCurrent,
  })
  const { data } = query
  const refusal = isCurrent && publication && data !== undefined ? refusalOf(publication, data?.version) : null
  const failure = refusal === null ? readFailure(query, texts.unread) : failureOf(query, refusal)
  return {
    publications: migration === undefined ? [] : publications,
    publication,
    choose: setChosen,
    count(credentials) {
      if (publication === undefined || migration === undefined) return
      const { instanceUrl } = publication
      lastNumber += 1
      setRequest({ number: lastNumber, migration, instance: { instanceUrl, ...(credentials && { credentials }) } })
    },
    isCounting: isCurrent && query.isFetching,
    failure: isCurrent ? failure : null,
    counts: isCurrent && refusal === null && data ? new Map(data.counts.map(({ key, count }) => [key, count])) : null,
  }
}

let lastNumber = 0

function publicationsOf({ before, after }: ComparedSides, all: readonly Publication[]): readonly Publication[] {
  if (before.kind !== 'build' || after.kind !== 'now') return []
  return all.filter(({ packageId, version }) => packageId === before.package && version === before.version)
}

/** Why counts cannot be shown; null if they can. `version`: of the tables there; undefined without counts. */
function refusalOf({ instanceUrl, version: here }: Publication, version: string | undefined): string | null {
  const name = hostOf(instanceUrl)
  if (version === undefined) return texts.none(name)
  return version === here ? null : texts.otherVersion(name, version, here)
}

function failureOf({ isFetching, refetch }: { isFetching: boolean; refetch: () => unknown }, message: string) {
  return { message, busy: isFetching, retry: () => void refetch() }
}

function hostOf(instanceUrl: string): string {
  return URL.parse(instanceUrl)?.host ?? instanceUrl
}

/** Asks for the counts. Nothing if no instance runs the state before. */
export function CountRecords({ counting }: { counting: RecordCounting }) {
  const { publications, publication, choose, count, isCounting, failure, counts } = counting
  const id = useId()
  if (publications.length === 0 || publication === undefined) return null
  const { instanceUrl, signedIn } = publication
  const name = hostOf(instanceUrl)
  const busy = isCounting && texts.counting(name)
  return (
    <section aria-labelledby={id} className={styles['part']}>
      <div className={styles['tools']}>
        <h3 id={id} className={styles['grade']}>
          {texts.heading}
        </h3>
        {!signedIn && (
          <Button icon={ListChecks} disabled={busy} onClick={() => count()}>
            {texts.count}
          </Button>
        )}
      </div>
      {publications.length > 1 && (
        <Select
          label={texts.instance}
          options={publications.map(one => ({ value: one.instanceUrl, label: hostOf(one.instanceUrl) }))}
          value={instanceUrl}
          onChange={choose}
        />
      )}
      <p className={styles['none']} aria-live="polite">
        {isCounting ? `${texts.counting(name)}…` : counts ? texts.counted(name) : texts.about(name)}
      </p>
      {signedIn && <SignIn key={instanceUrl} disabled={isCounting} onEnter={count} />}
      {failure && <UnreadAlert failure={failure} />}
    </section>
  )
}
