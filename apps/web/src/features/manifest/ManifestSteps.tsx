import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { useStore } from 'zustand'
import { manifestChangesQuery } from '../../api/edit-log.ts'
import { configurationStore } from '../../drafts/configuration-store.ts'
import { entityStore } from '../../drafts/entity-store.ts'
import { nextInManifest, type OfManifest, takeInManifest } from '../../drafts/manifest-steps.ts'
import type { Direction } from '../../drafts/take-back.ts'

/** The names of the next steps of the user in the documents of a manifest, and what takes them. */
export type StepsOfManifest = {
  undo: string | undefined
  redo: string | undefined
  take: (direction: Direction) => void
}

type Props = { manifest: OfManifest; onSteps: (steps: StepsOfManifest | null) => void }

/** Follows the drafts and the log of a manifest. A chunk of its own. */
export function ManifestSteps({ manifest, onSteps }: Props): null {
  const { data = none } = useQuery(manifestChangesQuery(manifest.id))
  // Named once for all drafts that one step changes.
  useStore(configurationStore.state)
  useStore(entityStore.state)
  const name = (direction: Direction) => {
    const step = nextInManifest(manifest, data, direction)
    return step && `${step.title}: ${step.name}`
  }
  const undo = name('undo')
  const redo = name('redo')
  useEffect(() => {
    onSteps({ undo, redo, take: direction => void takeInManifest(manifest, direction) })
    return () => onSteps(null)
  }, [undo, redo, manifest, onSteps])
  return null
}

const none: readonly never[] = []
