import { compareTexts as texts } from '@cadmus/model/messages/compare'
import { GitCompareArrows } from 'lucide-react'
import type { Target } from '../commands/context.ts'
import { commandById } from '../commands/registry.ts'
import { useAppContext } from '../commands/use-app-context.ts'
import { Button } from '../ui/Button.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'

/** A document without another state, and the way to the first one. */
export function NoVersions({ target }: { target: Target }) {
  const app = useAppContext()
  const add = (
    <Button variant="primary" onClick={() => void commandById('versions.manage')?.run({ ...app, target })}>
      {texts.addVersion}
    </Button>
  )
  return <EmptyState icon={GitCompareArrows} text={texts.noVersions} action={add} />
}
