import { visibleText } from '@cadmus/model/display'
import { homeTexts } from '@cadmus/model/messages/home'
import { liveProblemTexts } from '@cadmus/model/messages/problems'
import { useQuery } from '@tanstack/react-query'
import { Package2 } from 'lucide-react'
import { useCallback, useEffect, useState } from 'react'
import { problemCountsQuery } from '../../api/problems.ts'
import { DocumentLink } from '../../commands/DocumentLink.tsx'
import { problemsTab } from '../../problems/problems-tab.ts'
import { useWorkbench } from '../../workbench/page-workbench.ts'
import styles from './Home.module.css'
import { HomeSection } from './HomeSection.tsx'
import { type OwnManifest, type ProblemCounts, worstFirst } from './listed.ts'

/** Numbers of problems of the manifests that the user works on, worst first. */
export function Problems({ manifests }: { manifests: readonly OwnManifest[] }) {
  const [counts, setCounts] = useState<ReadonlyMap<number, ProblemCounts>>(new Map())
  const setCount = useCallback(
    (id: number, count: ProblemCounts) => setCounts(before => new Map(before).set(id, count)),
    [],
  )
  useDrafts()
  const { title, empty } = homeTexts.problems
  return (
    <HomeSection title={title} empty={manifests.length === 0 && empty}>
      <ul className={styles['list']}>
        {manifests
          .toSorted((one, other) => worstFirst(counts.get(one.id), counts.get(other.id)))
          .map(manifest => (
            <ManifestProblems key={manifest.id} manifest={manifest} onCount={setCount} />
          ))}
      </ul>
    </HomeSection>
  )
}

type ManifestProblemsProps = { manifest: OwnManifest; onCount: (id: number, count: ProblemCounts) => void }

function ManifestProblems({ manifest: { id, name, path }, onCount }: ManifestProblemsProps) {
  const { data: counts, isError } = useQuery(problemCountsQuery(id))
  const { errors, warnings } = counts ?? {}
  useEffect(() => {
    if (errors !== undefined && warnings !== undefined) onCount(id, { errors, warnings })
  }, [id, errors, warnings, onCount])
  return (
    <li className={styles['row']} aria-busy={counts === undefined && !isError}>
      <Package2 size={14} strokeWidth={1.75} aria-hidden />
      <span className={styles['name']}>
        <DocumentLink
          document={{ kind: 'manifest', id, name, path }}
          place={{ tab: problemsTab }}
          label={`Problems of ${visibleText(name)}`}
        >
          {name}
        </DocumentLink>
      </span>
      <span className={styles['counts']} data-errors={(errors ?? 0) > 0 || undefined}>
        {counts ? liveProblemTexts.counts(counts) : isError ? liveProblemTexts.unknown : liveProblemTexts.checking}
      </span>
    </li>
  )
}

/** Includes unsaved changes, with code that is loaded only if there are any. */
function useDrafts(): void {
  const hasDrafts = useWorkbench(({ drafts }) => drafts.size > 0)
  useEffect(() => {
    if (!hasDrafts) return
    // Without the code the numbers are those of the saved state.
    import('../../problems/unsaved-edits.ts').then(({ includeDrafts }) => includeDrafts()).catch(() => undefined)
  }, [hasDrafts])
}
