import { firstTexts } from '@cadmus/model/messages/first-load'
import { useState } from 'react'
import { Boundary } from '../../ui/Boundary.tsx'
import { onDemand } from '../../ui/on-demand.ts'
import { useWorkbench } from '../../workbench/page-workbench.ts'
import styles from './Workspace.module.css'

/** Loaded with the first document. */
const { Component: ProblemStatus } = onDemand(() =>
  import('../../problems/ProblemStatus.tsx').then(module => module.ProblemStatus),
)

/** One line at the lower edge of the workspace. If its code cannot be loaded, the next document tries again. */
export function StatusBar() {
  const active = useWorkbench(state => state.active)
  const [failed, setFailed] = useState<string | null>(null)
  if (failed !== null && failed !== active) setFailed(null)
  return (
    <footer className={styles['status']} aria-label={firstTexts.statusBar}>
      {active !== null && active !== failed && (
        <Boundary onFailure={() => setFailed(active)}>
          <ProblemStatus />
        </Boundary>
      )}
    </footer>
  )
}
