import { formatCount, visibleText } from '@cadmus/model/display'
import { messages } from '@cadmus/model/messages'
import type { PackageBuild } from '../../api/packages.ts'
import { Alert } from '../../ui/Alert.tsx'
import { ProgressBar } from '../../ui/ProgressBar.tsx'
import { minuteOf } from '../../ui/timestamp.ts'
import styles from './Packages.module.css'

/** Progress of a build, the reason for its failure, or its author and time. */
export function BuildState({ build }: { build: PackageBuild }) {
  const { status, reason, publishAs, size, userName, askedAt, endedAt } = build
  if (status === 'PROCESSING') return <ProgressBar label={messages.packages.view.loading} done={null} />
  if (status === 'FAILED') return <Alert>{reason === '' ? messages.packages.buildFailed : reason}</Alert>
  const time = minuteOf(endedAt === '' ? askedAt : endedAt)
  return (
    <p className={styles['made']}>
      {kinds[publishAs]} {time} by {visibleText(userName)}, {`${formatCount(Math.ceil(size / 1000))}\u00a0kB`}
    </p>
  )
}

const kinds = {
  PACKAGE: 'Built',
  DB_STRUCTURE: 'Database schema, built',
  ENTITY_GLOOP_MODEL: 'Data models, built',
} as const
