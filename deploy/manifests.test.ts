import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { DCLinter } from "dclint";
import { validate } from "dockerfile-utils";
import { expect, test } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { projectRoot } from "#app/platform/root.server.ts";

/*
 * What no engine and no cluster reads here: the files by their own schemas, and what nobody would miss
 * until the day on which it is needed.
 */
const folder = path.join(projectRoot, "deploy");
const read = (name: string) => readFileSync(path.join(folder, name), "utf8");
const MIGRATE = ["node", "scripts/db-migrate.ts"];
const BACKUP = ["node", "scripts/backup.ts", "/backups", "--keep", "90", "--quiet"];

interface Probe {
  httpGet?: { path: string; port: string };
}

interface Container {
  name: string;
  command?: string[];
  ports?: { name: string }[];
  securityContext: object;
  startupProbe?: Probe;
  livenessProbe?: Probe;
  readinessProbe?: Probe;
}

interface PodTemplate {
  metadata?: { labels: Record<string, string> };
  spec: { containers: Container[]; securityContext: object; restartPolicy?: string };
}

interface Manifest {
  apiVersion: string;
  kind: string;
  metadata: { name: string };
  spec: Spec;
}

interface Spec {
  template: PodTemplate;
  replicas: number;
  minAvailable: number;
  selector: object;
  jobTemplate: { spec: { template: PodTemplate } };
  podSelector: object;
  ingress: object[];
  rules: { filters: object[]; timeouts: object; backendRefs: { name: string; port: number }[] }[];
}

const files = readdirSync(path.join(folder, "kubernetes"));
const manifests = files
  .filter((name) => name !== "kustomization.yaml")
  .flatMap((name) => parseAllDocuments(read(`kubernetes/${name}`)))
  .map((document) => document.toJS() as Manifest);

function find(kind: string, name: string): Spec {
  const found = manifests.filter((each) => each.kind === kind && each.metadata.name === name);
  expect(found, `${kind} ${name}`).toHaveLength(1);
  return found[0]!.spec;
}

test("the Dockerfile has no mistake, and its container is not root and says whether it serves", () => {
  const text = read("docker/Dockerfile");
  expect(validate(text)).toEqual([]);
  const last = text.slice(text.lastIndexOf("\nFROM "));
  expect(last).toMatch(/^USER node$/m);
  expect(last).toMatch(/^HEALTHCHECK .*\\\n +CMD \[.*\/healthz.*\]$/m);
  expect(text.match(/^FROM /gm)).toHaveLength(2);
  // pg_dump for the backups, of this Debian: PostgreSQL 17.
  expect(last).toMatch(/^\nFROM node:24-trixie-slim$/m);
  expect(last).toContain("apt-get install --yes --no-install-recommends postgresql-client");
});

test("the compose file is as the schema wants it, and migrates before anything serves", () => {
  // The proxy is for everybody.
  const rules = { "no-unbound-port-interfaces": 0 } as const;
  const linter = new DCLinter({ rules, quiet: false, debug: false, exclude: [] });
  const results = linter.lintFiles([path.join(folder, "docker/compose.yaml")], false);
  expect(results).toHaveLength(1);
  expect(results[0]!.messages.filter(({ type }) => type === "error")).toEqual([]);
  const { services } = parse(read("docker/compose.yaml"), { merge: true }) as {
    services: Record<
      string,
      {
        command?: string[];
        depends_on?: object;
        ports?: string[];
        image: string;
        volumes: string[];
      }
    >;
  };
  expect(services.database!.image).toMatch(/^postgres:17-/);
  expect(services.backup!.command).toEqual(BACKUP);
  expect(services.backup!.volumes).toEqual(["files:/data", "/var/backups/kickabout:/backups"]);
  expect(services.migrate?.command).toEqual(MIGRATE);
  const migrated = { migrate: { condition: "service_completed_successfully" } };
  for (const name of ["web-1", "web-2", "worker"]) {
    expect(services[name]?.depends_on).toMatchObject(migrated);
  }
  expect(Object.keys(services).filter((name) => services[name]?.ports)).toEqual(["mail", "proxy"]);
});

/** Each field of the manifests with what it holds: a cluster would drop one that it does not know. */
const FIELDS: Record<string, string | RegExp> = {
  ...kindOf("free", "annotations data labels matchLabels stringData"),
  ...kindOf(
    "object",
    "capabilities configMapRef emptyDir httpGet jobTemplate labelSelector limits livenessProbe",
    "metadata namespaceSelector persistentVolumeClaim podSelector readinessProbe requestHeaderModifier",
    "requestRedirect requests resources rollingUpdate seccompProfile secretRef securityContext selector",
    "spec startupProbe strategy template timeouts tls",
  ),
  ...kindOf(
    "array",
    "accessModes backendRefs certificateRefs command containers drop env envFrom filters from hostnames",
    "ingress listeners matches matchExpressions parentRefs policyTypes ports remove rules",
    "topologySpreadConstraints values volumeMounts volumes",
  ),
  ...kindOf(
    "string",
    "apiVersion app claimName gatewayClassName hostname image key kind mountPath name namespace schedule",
    "sectionName targetPort timeZone topologyKey value",
  ),
  ...kindOf(
    "number",
    "backoffLimit containerPort failureThreshold fsGroup maxSkew maxSurge maxUnavailable minAvailable",
    "periodSeconds replicas runAsGroup runAsUser statusCode terminationGracePeriodSeconds timeoutSeconds",
  ),
  ...kindOf(
    "boolean",
    "allowPrivilegeEscalation automountServiceAccountToken readOnlyRootFilesystem runAsNonRoot",
  ),
  ...kindOf("string or number", "port"),
  ...kindOf("string or object", "path"),
  concurrencyPolicy: /^(Allow|Forbid|Replace)$/,
  cpu: /^\d+m$/,
  fsGroupChangePolicy: /^(OnRootMismatch|Always)$/,
  memory: /^\d+[MG]i$/,
  mode: /^(Terminate|Passthrough)$/,
  operator: /^(In|NotIn)$/,
  protocol: /^HTTPS?$/,
  request: /^\d+(ms|s|m|h)$/,
  restartPolicy: /^(Always|OnFailure|Never)$/,
  scheme: /^https?$/,
  storage: /^\d+Gi$/,
  type: /^(PathPrefix|RequestHeaderModifier|RequestRedirect|RuntimeDefault)$/,
  whenUnsatisfiable: /^(DoNotSchedule|ScheduleAnyway)$/,
};
const VERSIONS: Record<string, string> = {
  ...kindOf("v1", "ConfigMap Namespace PersistentVolumeClaim Secret Service"),
  ...kindOf("apps/v1", "Deployment"),
  ...kindOf("batch/v1", "CronJob Job"),
  ...kindOf("policy/v1", "PodDisruptionBudget"),
  ...kindOf("networking.k8s.io/v1", "NetworkPolicy"),
  ...kindOf("gateway.networking.k8s.io/v1", "Gateway HTTPRoute"),
};

function kindOf(kind: string, ...names: string[]): Record<string, string> {
  return Object.fromEntries(names.flatMap((some) => some.split(" ").map((name) => [name, kind])));
}

function mistakesIn(value: unknown, place: string): string[] {
  if (Array.isArray(value)) return value.flatMap((each, n) => mistakesIn(each, `${place}[${n}]`));
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    const expected = FIELDS[name] ?? "no such field";
    if (expected === "free") return [];
    const type = Array.isArray(inner) ? "array" : typeof inner;
    const isRight =
      typeof expected === "string" ? expected.split(" or ").includes(type) : expected.test(inner);
    return isRight ? mistakesIn(inner, `${place}.${name}`) : `${place}.${name}: ${expected}`;
  });
}

test.each(manifests.map((manifest) => [manifest.kind, manifest.metadata.name, manifest] as const))(
  "%s %s has no field that Kubernetes does not know, and none of another type",
  (kind, _name, manifest) => {
    expect(manifest.apiVersion).toBe(VERSIONS[kind]);
    expect(mistakesIn(manifest, kind)).toEqual([]);
  },
);

test("Kustomize applies every file but the secret and the job, which come before", () => {
  const { resources } = parse(read("kubernetes/kustomization.yaml")) as { resources: string[] };
  const others = ["kustomization.yaml", "migrate.yaml", "secret.example.yaml"];
  expect(resources.toSorted()).toEqual(files.filter((name) => !others.includes(name)).toSorted());
});

const probe = (url: string) => ({ httpGet: { path: url, port: "http" } });

test.each(["web", "worker"])("a %s pod is probed, and is not root", (name) => {
  const { template } = find("Deployment", `kickabout-${name}`);
  const [container] = template.spec.containers;
  expect(container).toMatchObject({
    ports: [{ name: "http" }, { name: "metrics" }],
    startupProbe: probe("/healthz"),
    // A database that is away must not restart it.
    livenessProbe: probe("/healthz"),
    readinessProbe: probe("/readyz"),
  });
  expectUnprivileged(template);
});

test("one web pod of two stays while a node is emptied", () => {
  const { template, replicas } = find("Deployment", "kickabout-web");
  const { minAvailable, selector } = find("PodDisruptionBudget", "kickabout-web");
  expect(selector).toEqual({ matchLabels: template.metadata?.labels });
  expect(minAvailable).toBeGreaterThan(0);
  expect(replicas).toBeGreaterThan(minAvailable);
  expect(find("Service", "kickabout-web").selector).toEqual(template.metadata?.labels);
});

test("a job migrates, once, and is not root", () => {
  const { template } = find("Job", "kickabout-migrate");
  expect(template.spec.restartPolicy).toBe("Never");
  expect(template.spec.containers.map(({ command }) => command)).toEqual([MIGRATE]);
  expect(existsSync(path.join(projectRoot, MIGRATE[1]!))).toBe(true);
  expectUnprivileged(template);
});

test("every day a job backs up, compares with Stripe and checks the books, and is not root", () => {
  const { template } = find("CronJob", "kickabout-daily").jobTemplate.spec;
  expect(template.spec.containers.map(({ command }) => command)).toEqual([
    BACKUP,
    ["node", "scripts/stripe-reconcile.ts"],
    ["node", "scripts/check-ledger.ts"],
  ]);
  expect(template.spec.restartPolicy).toBe("Never");
  expectUnprivileged(template);
});

test("the gateway drops what names a browser's request, and ends no stream", () => {
  const [rule] = find("HTTPRoute", "kickabout").rules;
  const remove = ["X-Request-Id", "traceparent"];
  const filter = { type: "RequestHeaderModifier", requestHeaderModifier: { remove } };
  expect(rule).toMatchObject({ filters: [filter], timeouts: { request: "0s" } });
  expect(rule!.backendRefs).toEqual([{ name: "kickabout-web", port: 80 }]);
});

test("only the gateway asks a pod, and only Prometheus reads its metrics", () => {
  const { podSelector, ingress } = find("NetworkPolicy", "kickabout");
  const pods = ["kickabout-web", "kickabout-worker"];
  expect(podSelector).toEqual({ matchExpressions: [{ key: "app", operator: "In", values: pods }] });
  for (const name of pods) {
    const { template } = find("Deployment", name);
    expect(template.metadata?.labels).toEqual({ app: name });
    expect(template.spec.containers[0]!.ports).toEqual([
      { name: "http", containerPort: 3000 },
      { name: "metrics", containerPort: 9464 },
    ]);
  }
  const rule = (label: string, port: number) => ({
    from: [{ namespaceSelector: { matchLabels: { [label]: "true" } } }],
    ports: [{ port }],
  });
  expect(ingress).toEqual([rule("kickabout-gateway", 3000), rule("kickabout-monitoring", 9464)]);
  const page = readFileSync(path.join(projectRoot, "docs/deploy.md"), "utf8");
  expect(page).toMatch(/^kubectl label namespace \S+ kickabout-gateway=true$/m);
  expect(page).toMatch(/^kubectl label namespace \S+ kickabout-monitoring=true$/m);
});

function expectUnprivileged({ spec }: PodTemplate) {
  expect(spec.securityContext).toMatchObject({ runAsNonRoot: true, runAsUser: 1000 });
  for (const { securityContext } of spec.containers) {
    expect(securityContext).toMatchObject({
      allowPrivilegeEscalation: false,
      readOnlyRootFilesystem: true,
      capabilities: { drop: ["ALL"] },
    });
  }
}
