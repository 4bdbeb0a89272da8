import { messages } from '@cadmus/model/messages'
import { handTexts } from '@cadmus/model/messages/diagram-hands'
import { viewTexts } from '@cadmus/model/messages/diagram-views'
import { Workflow } from 'lucide-react'
import { useStore } from 'zustand'
import { messageOf } from '../api/error.ts'
import { Button } from '../ui/Button.tsx'
import { EmptyState } from '../ui/EmptyState.tsx'
import { ErrorState } from '../ui/ErrorState.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import type { OtherSteps } from './diagram-commands.ts'
import { DiagramFrame } from './DiagramFrame.tsx'
import type { DiagramStore } from './diagram-store.ts'
import { addEntityTo, type ManifestDiagram, type ShownManifest, useManifestDiagram } from './manifest-diagram.ts'
import { rememberCamera, remembered } from './remembered.ts'
import { saveAsView, ViewMenu } from './ViewMenu.tsx'

/** The diagram of a manifest. */
export function DiagramPane({ manifest, others }: { manifest: ShownManifest; others: OtherSteps | null }) {
  const diagram = useManifestDiagram(manifest)
  const { store, error, retry } = diagram
  if (error) return <ErrorState message={messageOf(error, viewTexts.notRead)} onRetry={retry} />
  if (!store) return <Skeleton lines={8} />
  return <Shown manifest={manifest} diagram={{ ...diagram, store }} others={others} />
}

type ShownProps = {
  manifest: ShownManifest
  diagram: ManifestDiagram & { store: DiagramStore }
  others: OtherSteps | null
}

function Shown({ manifest, diagram, others }: ShownProps) {
  const { store } = diagram
  const state = useStore(store.state)
  const views = { manifest, diagram, state }
  if (state.cards.scene.count === 0) return <Empty manifest={manifest} />
  return (
    <DiagramFrame
      label={manifest.name}
      store={store}
      manifest={manifest}
      locked={manifest.version === undefined ? null : handTexts.oldVersion}
      views={<ViewMenu {...views} />}
      others={others}
      onSave={manifest.version === undefined ? () => saveAsView(views) : undefined}
      cameraOf={uid => (uid === '' ? undefined : remembered(manifest.id).cameras[uid])}
      onRested={(uid, camera) => {
        if (uid !== '') rememberCamera(manifest.id, uid, camera)
      }}
    />
  )
}

function Empty({ manifest }: { manifest: ShownManifest }) {
  const add = (
    <Button variant="primary" onClick={() => addEntityTo(manifest, () => undefined)}>
      {viewTexts.addEntity}
    </Button>
  )
  return <EmptyState icon={Workflow} text={messages.empty.entities} action={manifest.mayEdit && add} />
}
