import { Map as MapIcon, Network, Package2, PackageCheck, Sheet, Table2 } from 'lucide-react'
import { useStore } from 'zustand'
import { useOwnManifestCount } from '../../api/lists.ts'
import { Button } from '../../ui/Button.tsx'
import { CloseButton, Dialog } from '../../ui/Dialog.tsx'
import type { Icon } from '../../ui/Icon.ts'
import { afterDialogs } from '../../workbench/dialogs.ts'
import { tours } from './all.ts'
import { whyUnavailable } from './needed-document.ts'
import type { TourId } from './tour.ts'
import { startTour, tourStore } from './tour-store.ts'
import { needsManifest } from './texts.ts'
import styles from './Tours.module.css'

const offers: readonly Pick<OfferProps, 'tour' | 'icon' | 'description'>[] = [
  {
    tour: 'manifest',
    icon: Package2,
    description: 'A manifest groups the entities that belong together. Begin with this one.',
  },
  {
    tour: 'entity',
    icon: Table2,
    description: 'An entity describes one thing, with its attributes and relationships.',
  },
  { tour: 'sheet', icon: Sheet, description: 'Edit attributes as in a spreadsheet, in an entity that is open.' },
  { tour: 'diagram', icon: Network, description: 'See and draw relationships, in a manifest that is open.' },
  { tour: 'publishing', icon: PackageCheck, description: 'From a manifest that is open to an API that runs.' },
]

export type GuidedToursProps = { isAfterOnboarding: boolean; onClose: () => void }

/** The tours; also shown after the onboarding. */
export function GuidedToursDialog({ isAfterOnboarding, onClose }: GuidedToursProps) {
  const manifests = useOwnManifestCount()
  const left = useStore(tourStore, state => state.left)
  const start = (tour: TourId, step?: number) => {
    onClose()
    afterDialogs(() => startTour(tour, step))
  }
  return (
    <Dialog
      title={isAfterOnboarding ? 'Onboarding' : 'Guided Tours'}
      description={
        isAfterOnboarding
          ? 'The introduction to the workspace is complete. Next, create something: these tours guide you through the real wizards and screens. All are under Guided Tours in your profile menu.'
          : 'The tours guide you through the real wizards and screens. Objects that you create in a tour are saved.'
      }
      width={520}
      onClose={onClose}
      closeOnBackdrop
      footer={<CloseButton label="Close" />}
    >
      <ul className={styles['offers']}>
        {offers.map(({ tour, icon, description }) => (
          <Offer
            key={tour}
            tour={tour}
            icon={icon}
            description={description}
            left={left[tour]}
            disabled={tour === 'entity' && manifests === 0 ? needsManifest : whyUnavailable(tour)}
            onStart={start}
          />
        ))}
        {left.onboarding !== undefined && (
          <Offer
            tour="onboarding"
            icon={MapIcon}
            description="Shows what each part of the workspace is for."
            left={left.onboarding}
            onStart={start}
          />
        )}
      </ul>
    </Dialog>
  )
}

type OfferProps = {
  tour: TourId
  icon: Icon
  description: string
  /** The step to resume at. */
  left: number | undefined
  /** The reason, if disabled. */
  disabled?: string | false
  onStart: (tour: TourId, step?: number) => void
}

function Offer({ tour, icon: Symbol, description, left, disabled = false, onStart }: OfferProps) {
  const { name, steps } = tours[tour]
  const isLeft = left !== undefined && left > 0 && disabled === false
  return (
    <li className={styles['offer']}>
      <Symbol size={16} aria-hidden className={styles['icon']} />
      <div className={styles['about']}>
        <p>{description}</p>
        {isLeft && (
          <p className={styles['left']}>
            You stopped at step {left + 1} of {steps.length}.
          </p>
        )}
        {disabled !== false && <p className={styles['reason']}>{disabled}</p>}
      </div>
      <div className={styles['actions']}>
        {isLeft && (
          <Button size="dialog" aria-label={`Resume ${name}`} onClick={() => onStart(tour, left)}>
            Resume
          </Button>
        )}
        <Button
          size="dialog"
          variant={tour === 'manifest' ? 'primary' : 'secondary'}
          disabled={disabled}
          onClick={() => onStart(tour)}
        >
          {name}
        </Button>
      </div>
    </li>
  )
}
