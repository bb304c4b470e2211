interface PhoneLinkProps {
  phone: string;
  className: string;
}

/** Plain text if it has no digits. */
export function PhoneLink({ phone, className }: PhoneLinkProps) {
  const number = /^\s*\+/.test(phone) ? `+${digitsOf(phone)}` : digitsOf(phone);
  if (!/\d/.test(number)) return <span className="wrap-anywhere">{phone}</span>;
  return (
    <a href={`tel:${number}`} className={className}>
      {phone}
    </a>
  );
}

function digitsOf(phone: string): string {
  return phone.replace(/\D/g, "");
}
