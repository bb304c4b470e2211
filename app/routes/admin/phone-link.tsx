interface PhoneLinkProps {
  /** As the player wrote it. */
  phone: string;
  className: string;
}

/** A number to tap; what holds no digits is only text. */
export function PhoneLink({ phone, className }: PhoneLinkProps) {
  const number = /^\s*\+/.test(phone) ? `+${digitsOf(phone)}` : digitsOf(phone);
  if (!/\d/.test(number)) return <span className="break-words">{phone}</span>;
  return (
    <a href={`tel:${number}`} className={className}>
      {phone}
    </a>
  );
}

function digitsOf(phone: string): string {
  return phone.replace(/\D/g, "");
}
