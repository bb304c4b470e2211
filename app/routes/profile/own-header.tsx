import { ButtonLink } from "#app/ui/button.tsx";
import { Gear, Shield } from "#app/ui/icon.tsx";
import type { ProfileAnswer } from "./answers.server.ts";
import { EditDialog } from "./edit-dialog.tsx";
import { Facts } from "./facts.tsx";
import { PictureDialog } from "./picture-dialog.tsx";
import type { ProfilePage } from "./profile-page.server.ts";
import { ProfilePanel } from "./profile-panel.tsx";

type OwnHeaderProps = { profile: ProfilePage; answer: ProfileAnswer | undefined };

/** Who one is, and what can be changed of it. */
export function OwnHeader({ profile, answer }: OwnHeaderProps) {
  return (
    <ProfilePanel
      name={profile.name}
      src={profile.profilePictureUrl}
      facts={<Facts profile={profile} age={profile.age} />}
      corner={
        <ButtonLink to="/settings" variant="quiet" aria-label="Settings" className="px-2">
          <Gear />
        </ButtonLink>
      }
    >
      <div className="flex flex-wrap gap-3">
        <EditDialog profile={profile} answer={answer} />
        <PictureDialog profile={profile} answer={answer} />
        {/* Phones have no Admin entry in their navigation. */}
        {profile.isAdmin && (
          <ButtonLink to="/admin" className="md:hidden">
            <Shield className="size-5" /> Admin
          </ButtonLink>
        )}
        <ButtonLink to="/profile/player-card" size="lg" wide className="wide">
          MY PLAYER CARD
        </ButtonLink>
      </div>
    </ProfilePanel>
  );
}
