package dev.berth.schemas.serde;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.avro.util.ClassSecurityValidator;
import org.apache.avro.util.ClassSecurityValidator.ClassSecurityPredicate;

/**
 * Packages whose classes Avro may instantiate.
 *
 * <p>Avro refuses to make records of classes that nobody vouched for, since the class name comes
 * with the schema. A package becomes trusted when code, not data, asks for a serde of one of its
 * classes, or names one here because it makes records with builders, which copy their defaults.
 */
public final class TrustedPackages {

  private static final Set<String> PACKAGES = ConcurrentHashMap.newKeySet();

  static {
    ClassSecurityPredicate before = ClassSecurityValidator.getGlobal();
    ClassSecurityValidator.setGlobal(
        ClassSecurityValidator.composite(before, type -> PACKAGES.contains(type.getPackageName())));
  }

  private TrustedPackages() {}

  /** Trusts the package of a class. */
  public static void trust(Class<?> type) {
    PACKAGES.add(type.getPackageName());
  }
}
